package dev.cairn.tensorflow.runtime;

import java.time.Duration;
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
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final GraphBuilder graph;
    private final Status status = new Status();
    private final TF_Session session;
    private final List<Call> calls = new ArrayList<>();
    private boolean closed;

    /// Takes ownership of the graph. The graph is closed with the session, or at once if the session cannot be
    /// created.
    public Session(GraphBuilder graph, int threads) {
        this(graph, Configuration.session(threads), "");
    }

    private Session(GraphBuilder graph, byte[] configuration, String target) {
        this.graph = graph;
        try {
            this.session = open(graph, configuration, target, status);
        } catch (RuntimeException e) {
            graph.close();
            status.close();
            throw e;
        }
    }

    /// A session in the [Server] of this process. The graph runs there. Takes ownership of the graph.
    ///
    /// @param target as of [Server#target]
    public static Session on(String target, GraphBuilder graph) {
        return new Session(graph, Configuration.session(1), target);
    }

    /// A session in a [Server] of another process. A call waits for a server that is gone, in the hope that
    /// it comes back; after half an hour it fails.
    ///
    /// @param target as of [Server#target]
    public static Session of(String target, GraphBuilder graph) {
        return new Session(graph, Configuration.client(PATIENCE), target);
    }

    private static TF_Session open(GraphBuilder graph, byte[] configuration, String target, Status status) {
        TF_SessionOptions options = tensorflow.TF_NewSessionOptions();
        try (BytePointer config = new BytePointer(configuration)) {
            if (!target.isEmpty()) {
                tensorflow.TF_SetTarget(options, target);
            }
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
}
