package dev.cairn.engine.group;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The connections that were opened since a moment, such as while a group formed. Linux counts what they carry, which
/// frameworks do not. It also notices that the network is cut, and cuts connections, which Gloo cannot. Thread-safe.
public final class Connections {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final String SOCKET = "socket:";

    private final Map<Integer, Line> lines = new HashMap<>();
    private boolean ended;

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
    public synchronized void addSince(Map<Integer, String> before) {
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

    /// Looks at the connections, and returns what they have carried until now. Empty if the system does not
    /// tell.
    public synchronized Optional<Traffic> look() {
        if (lines.isEmpty() || !Sockets.areReadable()) {
            return Optional.empty();
        }
        lines.forEach((number, line) -> {
            if (line.identity.equals(identity(OPEN_FILES.resolve(Integer.toString(number))))) {
                Sockets.traffic(number).ifPresent(told -> {
                    line.sent = told.sentBytes();
                    line.received = told.receivedBytes();
                });
            }
        });
        long sent = lines.values().stream().mapToLong(line -> line.sent).sum();
        long received = lines.values().stream().mapToLong(line -> line.received).sum();
        return Optional.of(new Traffic(closedSent + sent, closedReceived + received));
    }

    /// Lets the system end a connection that carries nothing of what it should for this long: such as when a
    /// cable is cut, or a host is switched off. What waits for it then fails.
    public synchronized void noticeCuts(Duration limit) {
        int seconds = (int) Math.max(1, limit.toSeconds());
        each(number -> {
            Sockets.set(number, Sockets.SOL_SOCKET, Sockets.SO_KEEPALIVE, 1);
            Sockets.set(number, Sockets.IPPROTO_TCP, Sockets.TCP_KEEPIDLE, 1);
            Sockets.set(number, Sockets.IPPROTO_TCP, Sockets.TCP_KEEPINTVL, 1);
            Sockets.set(number, Sockets.IPPROTO_TCP, Sockets.TCP_KEEPCNT, Math.max(1, seconds - 1));
            Sockets.set(number, Sockets.IPPROTO_TCP, Sockets.TCP_USER_TIMEOUT, 1000 * seconds);
        });
    }

    /// Cuts all connections: whoever waits for them, here or at their other ends, is told at once.
    public synchronized void sever() {
        each(Sockets::shutDown);
    }

    /// Leaves the connections alone from now on, because they are about to be closed. What they carried is
    /// still known.
    public synchronized void end() {
        ended = true;
    }

    private void each(IntConsumer act) {
        if (ended) {
            return;
        }
        lines.forEach((number, line) -> {
            if (line.identity.equals(identity(OPEN_FILES.resolve(Integer.toString(number))))) {
                act.accept(number);
            }
        });
    }

    private static @Nullable String identity(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException closed) {
            return null;
        }
    }
}
