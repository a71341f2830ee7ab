package dev.cairn.engine.group;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// What Linux offers for sockets that native code has opened, by their numbers. Linked once, when first needed.
/// On other systems nothing happens.
final class Sockets {
    static final int SOL_SOCKET = 1;
    static final int SO_KEEPALIVE = 9;
    static final int IPPROTO_TCP = 6;
    static final int TCP_KEEPIDLE = 4;
    static final int TCP_KEEPINTVL = 5;
    static final int TCP_KEEPCNT = 6;
    static final int TCP_USER_TIMEOUT = 18;

    private static final int TCP_INFO = 11;
    private static final int SHUT_RDWR = 2;

    /// As long as the structure was when Linux 4.1 added the last counter that is read here. Longer ones are
    /// cut.
    private static final int INFO_BYTES = 136;

    private static final long ACKNOWLEDGED = 120;
    private static final long RECEIVED = 128;

    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    private static final Optional<MethodHandle> GET = linked(
            "getsockopt",
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS);

    private static final Optional<MethodHandle> SET = linked(
            "setsockopt",
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT);

    private static final Optional<MethodHandle> SHUT_DOWN =
            linked("shutdown", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);

    private Sockets() {}

    private static Optional<MethodHandle> linked(String name, MemoryLayout... arguments) {
        if (!LINUX) {
            return Optional.empty();
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find(name)
                .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments)));
    }

    /// Whether the system tells what a connection has carried.
    static boolean areReadable() {
        return GET.isPresent();
    }

    /// Sets an option, if the socket has it.
    static void set(int socket, int level, int option, int value) {
        if (SET.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocateFrom(ValueLayout.JAVA_INT, value);
            int _ = (int) SET.get().invokeExact(socket, level, option, number, Integer.BYTES);
        } catch (Throwable e) { // as the method handle declares
            throw new IllegalStateException(e);
        }
    }

    /// Ends the connection in both directions. The socket stays open.
    static void shutDown(int socket) {
        if (SHUT_DOWN.isEmpty()) {
            return;
        }
        try {
            int _ = (int) SHUT_DOWN.get().invokeExact(socket, SHUT_RDWR);
        } catch (Throwable e) { // as the method handle declares
            throw new IllegalStateException(e);
        }
    }

    /// What a TCP connection has carried. Empty if this is not one, or the system is too old.
    static Optional<Traffic> traffic(int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(INFO_BYTES, Long.BYTES);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, INFO_BYTES);
            int failed = (int) GET.orElseThrow().invokeExact(socket, IPPROTO_TCP, TCP_INFO, info, length);
            if (failed != 0 || length.get(ValueLayout.JAVA_INT, 0) < INFO_BYTES) {
                return Optional.empty();
            }
            return Optional.of(new Traffic(
                    info.get(ValueLayout.JAVA_LONG, ACKNOWLEDGED), info.get(ValueLayout.JAVA_LONG, RECEIVED)));
        } catch (Throwable e) { // as the method handle declares
            throw new IllegalStateException(e);
        }
    }
}
