package dev.cairn.tensorflow.runtime;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_SessionOptions;
import org.tensorflow.internal.c_api.global.tensorflow;

/// A graph and the session that runs it. Operations run one after the other on the calling thread; each may compute on
/// several threads.
public final class Session implements AutoCloseable {
    private static final int MOST_THREADS = 127;

    private final GraphBuilder graph;
    private final Status status = new Status();
    private final TF_Session session;
    private final List<Call> calls = new ArrayList<>();
    private boolean closed;

    /// Takes ownership of the graph. The graph is closed with the session, or at once if the session cannot be
    /// created.
    public Session(GraphBuilder graph, int threads) {
        this.graph = graph;
        try {
            this.session = open(graph, config(threads), status);
        } catch (RuntimeException e) {
            graph.close();
            status.close();
            throw e;
        }
    }

    private static TF_Session open(GraphBuilder graph, byte[] configuration, Status status) {
        TF_SessionOptions options = tensorflow.TF_NewSessionOptions();
        try (BytePointer config = new BytePointer(configuration)) {
            tensorflow.TF_SetConfig(options, config, config.capacity(), status.pointer());
            status.check();
            TF_Session session = tensorflow.TF_NewSession(graph.graph(), options, status.pointer());
            status.check();
            return session;
        } finally {
            tensorflow.TF_DeleteSessionOptions(options);
        }
    }

    TF_Session pointer() {
        if (closed) {
            throw new IllegalStateException("the learner is closed");
        }
        return session;
    }

    public boolean closed() {
        return closed;
    }

    Status status() {
        return status;
    }

    public Call call(List<Output> feeds, List<Output> fetches, List<TF_Operation> targets) {
        var call = new Call(this, feeds, fetches, targets);
        calls.add(call);
        return call;
    }

    /// Deletes the session before its graph. In the other order the process may not end.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        calls.forEach(Call::close);
        tensorflow.TF_CloseSession(session, status.pointer());
        tensorflow.TF_DeleteSession(session, status.pointer());
        graph.close();
        status.close();
    }

    /// A `ConfigProto` of TensorFlow in the wire format of protocol buffers. A few fields are not worth loading
    /// that library.
    ///
    /// The graph runs as it is written: rewriting it made no model faster, and made the very first step slower.
    private static byte[] config(int threads) {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    "threads must be between 1 and %d: threads=%d".formatted(MOST_THREADS, threads));
        }
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {2 << 3, (byte) threads}); // intra_op_parallelism_threads
        bytes.write(5 << 3); // inter_op_parallelism_threads: -1, which is the calling thread
        bytes.writeBytes(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
        // graph_options { rewrite_options { disable_meta_optimizer: true } }
        bytes.writeBytes(new byte[] {10 << 3 | 2, 5, 10 << 3 | 2, 3, (byte) 0x98, 1, 1});
        return bytes.toByteArray();
    }
}
