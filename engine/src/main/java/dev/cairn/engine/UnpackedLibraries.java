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

/// The folder to which JavaCPP unpacks the native libraries of engines. If a process is killed while it unpacks,
/// no later process loads an incomplete library.
///
/// JavaCPP unpacks in place, and an incomplete library crashes every process that loads it. So each engine writes
/// a mark when all of its libraries are complete. The mark lists their folders. If the mark of an engine is
/// missing, all folders that no mark lists are removed, and the libraries are unpacked again. A lock lets one
/// process unpack at a time. The operating system releases the lock when its holder dies.
///
/// JavaCPP determines its folder once per process, so all engines share this folder. Its subfolders have the
/// versions of the libraries in their names.
public final class UnpackedLibraries {
    private static final String JAVACPP_CACHE = "org.bytedeco.javacpp.cachedir";
    private static final String COMPLETE = ".complete";
    private static final String LOCK = "unpack.lock";

    private UnpackedLibraries() {}

    /// Unpacks and loads the libraries of one engine. If the user has set the folder of JavaCPP, that folder is
    /// used unchanged.
    ///
    /// @param engine name and version of the engine, such as `tensorflow-1.1.0`
    /// @param firstCall any native call; it makes JavaCPP unpack and load the libraries
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

    /// Does the same in a folder to which JavaCPP unpacks.
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
            if (Files.exists(mark)) { // the previous holder of the lock has written it
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

    /// The subfolders that the marks list.
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
