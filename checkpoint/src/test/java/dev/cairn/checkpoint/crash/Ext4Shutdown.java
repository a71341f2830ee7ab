package dev.cairn.checkpoint.crash;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// Stops an ext4 file system as a power cut would.
final class Ext4Shutdown {
    private static final long EXT4_IOC_SHUTDOWN = 0x8004587dL;
    private static final int NO_LOG_FLUSH = 2;
    private static final int READ_ONLY = 0;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle OPEN = function(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle IOCTL = function(
            "ioctl",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private Ext4Shutdown() {}

    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, options);
    }

    /// Unforced data never reaches the disk, whatever is written afterwards.
    static void withoutFlush(Path mount) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int file = (int) OPEN.invokeExact(arena.allocateFrom(mount.toString()), READ_ONLY);
            MemorySegment how = arena.allocateFrom(ValueLayout.JAVA_INT, NO_LOG_FLUSH);
            int result = (int) IOCTL.invokeExact(file, EXT4_IOC_SHUTDOWN, how);
            int closed = (int) CLOSE.invokeExact(file);
            if (file < 0 || result != 0 || closed != 0) {
                throw new IOException("cannot shut down " + mount + ": open=" + file + " ioctl=" + result);
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
