package dev.cairn.tensorflow.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import org.bytedeco.javacpp.BytePointer;
import org.tensorflow.internal.c_api.TF_Server;
import org.tensorflow.internal.c_api.global.tensorflow;

/// TensorFlow's own server in this process. Sessions of this and of other processes run their graphs in it, and
/// share its variables and queues by their names.
///
/// A server lives until the process ends: TensorFlow cannot stop one. It listens on all interfaces and asks nobody
/// who they are, because TensorFlow can do neither.
public final class Server {
    private final String target;

    private Server(String target) {
        this.target = target;
    }

    /// Starts a server.
    ///
    /// @param host the host under which other processes reach it
    /// @param port 0 for any that is free
    /// @param sessions about how many sessions it serves at the same time
    public static Server start(String host, int port, int threads, int sessions) {
        byte[] definition = Configuration.server(host + ":" + port, threads, sessions);
        var status = new Status();
        try (var bytes = new BytePointer(definition)) {
            TF_Server server = tensorflow.TF_NewServer(bytes, definition.length, status.pointer());
            status.check();
            ProcessSettings.withoutChatter(() -> tensorflow.TF_ServerStart(server, status.pointer()));
            status.check();
            BytePointer target = tensorflow.TF_ServerTarget(server);
            if (target == null) {
                throw new IllegalStateException("tensorflow: the server has no address");
            }
            int bound = URI.create(target.getString()).getPort();
            return new Server("grpc://%s:%d".formatted(host, bound));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            status.close();
        }
    }

    /// The target of sessions on it.
    public String target() {
        return target;
    }
}
