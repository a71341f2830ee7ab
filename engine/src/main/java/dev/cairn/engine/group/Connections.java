package dev.cairn.engine.group;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The connections that were opened since a moment, such as while a group formed. Linux counts what they carry, which
/// frameworks do not. Not thread-safe.
public final class Connections {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final String SOCKET = "socket:";

    private final Map<Integer, Line> lines = new HashMap<>();

    /// What was carried by connections whose numbers others have now.
    private long closedSent;

    private long closedReceived;

    /// One connection. When its other end dies, Gloo closes it, and its number may go to another file: what it carried
    /// until it was last looked at still counts.
    private static final class Line {
        private final String identity;
        private long sent;
        private long received;

        Line(String identity) {
            this.identity = identity;
        }
    }

    private Connections() {}

    /// The sockets of this process, by number.
    public static Map<Integer, String> openSockets() {
        var sockets = new HashMap<Integer, String>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(OPEN_FILES)) {
            for (Path file : files) {
                String identity = identity(file);
                if (identity != null && identity.startsWith(SOCKET)) {
                    sockets.put(Integer.parseInt(String.valueOf(file.getFileName())), identity);
                }
            }
        } catch (IOException | DirectoryIteratorException untold) {
            return Map.of(); // only Linux has this folder
        }
        return sockets;
    }

    /// Counts the connections that were opened since then.
    ///
    /// @param before as of [#openSockets]
    public static Connections since(Map<Integer, String> before) {
        var connections = new Connections();
        connections.addSince(before);
        return connections;
    }

    /// Also counts the connections that were opened meanwhile.
    public void addSince(Map<Integer, String> before) {
        openSockets().forEach((number, identity) -> {
            Line known = lines.get(number);
            if (known != null && !known.identity.equals(identity)) {
                closedSent += known.sent;
                closedReceived += known.received;
            }
            if (!identity.equals(before.get(number)) && (known == null || !known.identity.equals(identity))) {
                lines.put(number, new Line(identity));
            }
        });
    }

    /// Looks at the connections, and returns what they have carried until now. Empty if the system does not tell.
    public Optional<Traffic> look() {
        if (lines.isEmpty() || TcpInfo.GET.isEmpty()) {
            return Optional.empty();
        }
        lines.forEach((number, line) -> {
            if (line.identity.equals(identity(OPEN_FILES.resolve(Integer.toString(number))))) {
                TcpInfo.traffic(number).ifPresent(told -> {
                    line.sent = told.sentBytes();
                    line.received = told.receivedBytes();
                });
            }
        });
        long sent = lines.values().stream().mapToLong(line -> line.sent).sum();
        long received = lines.values().stream().mapToLong(line -> line.received).sum();
        return Optional.of(new Traffic(closedSent + sent, closedReceived + received));
    }

    private static @Nullable String identity(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException closed) {
            return null;
        }
    }

    /// The counters of a TCP connection: `getsockopt` with `TCP_INFO`. Linked once, when first needed.
    private static final class TcpInfo {
        private static final int IPPROTO_TCP = 6;
        private static final int TCP_INFO = 11;

        /// As long as the structure was when Linux 4.1 added the last counter that is read here. Longer ones are cut.
        private static final int INFO_BYTES = 136;

        private static final long ACKNOWLEDGED = 120;
        private static final long RECEIVED = 128;

        static final Optional<MethodHandle> GET = Linker.nativeLinker()
                .defaultLookup()
                .find("getsockopt")
                .map(address -> Linker.nativeLinker()
                        .downcallHandle(
                                address,
                                FunctionDescriptor.of(
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.ADDRESS)));

        private TcpInfo() {}

        /// Empty if this is not a TCP connection, or the system is too old.
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
}
