package dev.cairn.torch;

import dev.cairn.engine.EngineUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.global.torch;

/// Loads libtorch. JavaCPP unpacks its libraries in place, and a process killed meanwhile leaves a torn one that
/// crashes
/// every later process. So they get a folder of our own, marked when all are there: without the mark they are unpacked
/// anew.
/// One process unpacks at a time; the lock is free the instant its holder dies.
final class NativeLibraries {
    private static final String JAVACPP_CACHE = "org.bytedeco.javacpp.cachedir";
    private static final String COMPLETE = "complete";
    private static final String LOCK = "unpack.lock";

    private NativeLibraries() {}

    /// @throws EngineUnavailableException where they cannot be loaded here
    static void load() {
        try {
            if (System.getProperty(JAVACPP_CACHE) == null) {
                loadFrom(folder());
            } else {
                touch();
            }
        } catch (LinkageError | IOException | UncheckedIOException e) {
            throw new EngineUnavailableException(
                    TorchEngine.NAME,
                    "Linux on x86-64 with glibc 2.28 or newer, and 500 MB in the cache folder (XDG_CACHE_HOME)",
                    e);
        }
    }

    private static void loadFrom(Path folder) throws IOException {
        Files.createDirectories(folder);
        System.setProperty(JAVACPP_CACHE, folder.toString());
        if (Files.exists(folder.resolve(COMPLETE))) {
            touch();
            return;
        }
        try (FileChannel channel =
                        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (!Files.exists(folder.resolve(COMPLETE))) {
                removeTorn(folder);
            }
            touch();
            Files.writeString(folder.resolve(COMPLETE), "");
        }
    }

    /// Any native call: the first one unpacks and loads.
    private static void touch() {
        torch.get_num_threads();
    }

    private static Path folder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        String version = torch.class.getPackage().getImplementationVersion();
        return base.resolve("cairn").resolve("libtorch-" + (version == null ? "unpackaged" : version));
    }

    private static void removeTorn(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(folder)) {
            files = tree.filter(path -> !path.equals(folder) && !path.endsWith(LOCK))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
