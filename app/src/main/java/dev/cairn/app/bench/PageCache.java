package dev.cairn.app.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The system's cache of files, which makes a second read fast and says nothing of the disk.
final class PageCache {
    private static final int READ_ONLY = 0;
    private static final int DONT_NEED = 4;

    private PageCache() {}

    /// Has Linux forget what it holds of the files in this folder, or of this file. They must be on the disk already.
    static void forget(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                forgetFile(file);
            }
        }
    }

    private static void forgetFile(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) Calls.OPEN.invokeExact(
                    arena.allocateFrom(file.toAbsolutePath().toString()), READ_ONLY);
            if (descriptor < 0) {
                throw new IOException("cannot open " + file);
            }
            int failed = (int) Calls.ADVISE.invokeExact(descriptor, 0L, 0L, DONT_NEED);
            int unclosed = (int) Calls.CLOSE.invokeExact(descriptor);
            if (failed != 0 || unclosed != 0) {
                throw new IOException("the system keeps " + file + " in its cache: posix_fadvise=" + failed);
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Linked once, when first needed.
    private static final class Calls {
        static final MethodHandle OPEN =
                call("open", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        static final MethodHandle CLOSE =
                call("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        static final MethodHandle ADVISE = call(
                "posix_fadvise",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT));

        private static MethodHandle call(String name, FunctionDescriptor shape) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
        }
    }
}
