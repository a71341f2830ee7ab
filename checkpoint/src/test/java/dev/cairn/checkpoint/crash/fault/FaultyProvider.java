package dev.cairn.checkpoint.crash.fault;

import static dev.cairn.checkpoint.crash.fault.FaultyFileSystem.unwrap;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Asks the plan before each file operation.
final class FaultyProvider extends FileSystemProvider {
    private final FaultyFileSystem fileSystem;
    private final FaultPlan plan;
    private final HostView view;

    FaultyProvider(FaultyFileSystem fileSystem, FaultPlan plan, HostView view) {
        this.fileSystem = fileSystem;
        this.plan = plan;
        this.view = view;
    }

    private static FileSystemProvider real(Path path) {
        return unwrap(path).getFileSystem().provider();
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        boolean creates =
                options.contains(StandardOpenOption.CREATE_NEW) || options.contains(StandardOpenOption.CREATE);
        FileChannel channel = plan.run(
                creates ? "create" : "open", path, () -> real(path).newFileChannel(unwrap(path), options, attributes));
        boolean direct = options.stream().anyMatch(option -> option.toString().equals("DIRECT"));
        return new FaultyChannel(path, channel, plan, direct ? "direct" : "write");
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> files = plan.run("list", folder, () -> {
            var found = new ArrayList<Path>();
            try (var stream = real(folder).newDirectoryStream(unwrap(folder), _ -> true)) {
                stream.forEach(file -> found.add(fileSystem.wrap(file)));
            }
            return found;
        });
        var wanted = new ArrayList<Path>();
        for (Path file : files) {
            if (filter.accept(file)) {
                wanted.add(file);
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return wanted.iterator();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        change("mkdir", folder, () -> real(folder).createDirectory(unwrap(folder), attributes));
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        change("link", link, () -> real(link).createLink(unwrap(link), unwrap(existing)));
    }

    @Override
    public void delete(Path path) throws IOException {
        change("delete", path, () -> real(path).delete(unwrap(path)));
    }

    @Override
    public boolean deleteIfExists(Path path) throws IOException {
        return plan.run("delete", path, () -> real(path).deleteIfExists(unwrap(path)));
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        change("rename", target, () -> real(source).move(unwrap(source), unwrap(target), options));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return plan.run("statfs", path, () -> view.of(real(path).getFileStore(unwrap(path))));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        real(path).checkAccess(unwrap(path), modes);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return plan.run("stat", path, () -> real(path).readAttributes(unwrap(path), type, options));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        Map<String, Object> found = real(path).readAttributes(unwrap(path), attributes, options);
        return found.get("ino") instanceof Long inode ? Map.of("ino", inode + view.inodes()) : found;
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return real(path).getFileAttributeView(unwrap(path), type, options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return real(path).isSameFile(unwrap(path), unwrap(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return real(path).isHidden(unwrap(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getScheme() {
        return "faulty";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return fileSystem;
    }

    @Override
    public Path getPath(URI uri) {
        return fileSystem.wrap(Path.of(uri));
    }

    private interface Change {
        void run() throws IOException;
    }

    private void change(String what, Path file, Change change) throws IOException {
        plan.run(what, file, () -> {
            change.run();
            return true;
        });
    }
}
