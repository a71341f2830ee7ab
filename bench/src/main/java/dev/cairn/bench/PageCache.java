package dev.cairn.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/// The system's cache of files. It makes a second read fast, so that such a read does not measure the disk.
public final class PageCache {
    private static final int READ_ONLY = 0;
    private static final int DONT_NEED = 4;
    private static final int PAGE_BYTES = 4096;
    private static final int ATTEMPTS = 10;
    private static final int PROBE_BYTES = 1 << 20;

    private PageCache() {}

    /// Whether files in this folder can be removed from the cache; false for a file system in memory.
    public static boolean canForget(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, "probe-", "");
        try (FileChannel channel = FileChannel.open(probe, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(PROBE_BYTES));
            channel.force(true);
            return isForgotten(probe);
        } finally {
            Files.delete(probe);
        }
    }

    /// Removes the files in this folder, or this file, from the cache of Linux, after writing them to the disk.
    ///
    /// @throws IOException if more than a hundredth of a file is still in the cache
    public static void forget(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!isForgotten(file)) {
                    throw new IOException("the system keeps %s in its cache: %,d of %,d bytes"
                            .formatted(file, cachedBytes(file), Files.size(file)));
                }
            }
        }
    }

    private static boolean isForgotten(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            forgetFile(file);
            if (cachedBytes(file) <= Files.size(file) / 100) {
                return true;
            }
        }
        return false;
    }

    /// The number of bytes of this file, in whole pages, that are in the cache of Linux.
    static long cachedBytes(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size == 0) {
                return 0;
            }
            MemorySegment pages = arena.allocate(Math.ceilDiv(size, PAGE_BYTES));
            int failed = (int)
                    Calls.IN_CORE.invokeExact(channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena), size, pages);
            if (failed != 0) {
                throw new IOException("the system does not say how much it caches of " + file);
            }
            long held = 0;
            for (byte page : pages.toArray(ValueLayout.JAVA_BYTE)) {
                held += page & 1;
            }
            return held * PAGE_BYTES;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
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
        static final MethodHandle IN_CORE = call(
                "mincore",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
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
