package dev.cairn.checkpoint.crash.fault;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;

/// A file system in front of the real one: operations on its paths fail as a [FaultPlan] says.
public final class FaultyFileSystem extends FileSystem {
    private final FileSystem inner;
    private final FaultyProvider provider;

    private FaultyFileSystem(FileSystem inner, FaultPlan plan, HostView view) {
        this.inner = inner;
        this.provider = new FaultyProvider(this, plan, view);
    }

    /// The same file, on a file system that fails.
    public static Path over(Path path, FaultPlan plan) {
        return over(path, plan, HostView.OWN);
    }

    /// The same file, as a host sees it.
    public static Path over(Path path, FaultPlan plan, HostView view) {
        return new FaultyFileSystem(path.getFileSystem(), plan, view).wrap(path);
    }

    /// A path that differs from the inner one only in its file system.
    Path wrap(Path path) {
        return (Path) Proxy.newProxyInstance(
                FaultyFileSystem.class.getClassLoader(),
                new Class<?>[] {Path.class, Wrapped.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("getFileSystem")) {
                        return this;
                    }
                    if (method.getName().equals("inner")) {
                        return path;
                    }
                    Object[] given = arguments == null ? new Object[0] : arguments.clone();
                    for (int i = 0; i < given.length; i++) {
                        given[i] = given[i] instanceof Wrapped wrapped ? wrapped.inner() : given[i];
                    }
                    try {
                        Object result = method.invoke(path, given);
                        return result instanceof Path found ? wrap(found) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    /// Paths of this file system.
    interface Wrapped {
        Path inner();
    }

    static Path unwrap(Path path) {
        return path instanceof Wrapped wrapped ? wrapped.inner() : path;
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return inner.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return inner.getRootDirectories();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return inner.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return inner.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
        return wrap(inner.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        PathMatcher matcher = inner.getPathMatcher(syntaxAndPattern);
        return path -> matcher.matches(unwrap(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return inner.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException();
    }
}
