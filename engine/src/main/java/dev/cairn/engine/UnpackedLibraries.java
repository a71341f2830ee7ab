package dev.cairn.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Where JavaCPP unpacks the native libraries of engines: a folder of our own, in which a process that was killed while
/// it unpacked leaves nothing that a later one loads.
///
/// JavaCPP unpacks in place, and a torn library crashes every process that loads it. So each engine leaves a mark when
/// all of its libraries are there, with the names of their folders; without it, what no mark names is removed and
/// unpacked anew. One process unpacks at a time; the lock is free the instant its holder dies.
///
/// JavaCPP looks for its folder once in a process, so all engines share ours; its subfolders are named by versions.
public final class UnpackedLibraries {
    private static final String JAVACPP_CACHE = "org.bytedeco.javacpp.cachedir";
    private static final String COMPLETE = ".complete";
    private static final String LOCK = "unpack.lock";

    private UnpackedLibraries() {}

    /// Has the libraries of one engine unpacked and loaded. Where the user has set JavaCPP's folder, that is used as it
    /// is.
    ///
    /// @param engine names it and its version, such as `tensorflow-1.1.0`
    /// @param firstCall any native call, which unpacks and loads
    public static synchronized void load(String engine, Runnable firstCall) throws IOException {
        Path folder = folder();
        String set = System.getProperty(JAVACPP_CACHE);
        if (set != null && !set.equals(folder.toString())) {
            firstCall.run();
            return;
        }
        Files.createDirectories(folder);
        System.setProperty(JAVACPP_CACHE, folder.toString());
        unpack(folder, engine, firstCall);
    }

    /// The same in a folder to which JavaCPP unpacks.
    static void unpack(Path folder, String engine, Runnable firstCall) throws IOException {
        Path mark = folder.resolve(engine + COMPLETE);
        if (Files.exists(mark)) {
            firstCall.run();
            return;
        }
        try (FileChannel channel =
                        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            Set<String> complete = marked(folder);
            if (Files.exists(mark)) { // by who had the lock before
                firstCall.run();
                return;
            }
            removeTorn(folder, complete);
            firstCall.run();
            List<String> own = subfolders(folder);
            own.removeAll(complete);
            Path written = Files.write(folder.resolve(engine + ".written"), own);
            Files.move(written, mark, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static Path folder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return base.resolve("cairn").resolve("native");
    }

    /// The subfolders that marks name.
    private static Set<String> marked(Path folder) throws IOException {
        var names = new HashSet<String>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path mark :
                    files.filter(file -> file.toString().endsWith(COMPLETE)).toList()) {
                names.addAll(Files.readAllLines(mark));
            }
        }
        return names;
    }

    private static List<String> subfolders(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList());
        }
    }

    private static void removeTorn(Path folder, Set<String> complete) throws IOException {
        for (String name : subfolders(folder)) {
            if (!complete.contains(name)) {
                remove(folder.resolve(name));
            }
        }
    }

    private static void remove(Path tree) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(tree)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
