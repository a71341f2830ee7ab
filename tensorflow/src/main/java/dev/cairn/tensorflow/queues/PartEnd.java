package dev.cairn.tensorflow.queues;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import dev.cairn.tensorflow.runtime.Session;
import dev.cairn.tensorflow.runtime.TensorFlowException;
import java.time.Duration;
import java.util.List;

/// By which the process of a server learns that nobody needs it any more: a queue that is closed then.
public final class PartEnd {
    private static final QueueSet END = new QueueSet(graph -> List.of(queue(graph)));

    private PartEnd() {}

    private static Output queue(GraphBuilder graph) {
        return QueueSet.queue(graph, "end", 1, TF_INT64);
    }

    /// Tells it.
    public static void tell(String target) {
        END.close(target);
    }

    /// Waits until it is told, at most for this time.
    public static void await(String target, Duration limit) {
        var graph = new GraphBuilder();
        Output taken = graph.node("QueueDequeueV2")
                .in(queue(graph))
                .types("component_types", TF_INT64)
                .output();
        Thread waiting = Thread.ofPlatform().name("cairn-end").daemon(true).start(() -> {
            try (Session session = Session.on(target, graph)) {
                session.call(List.of(), List.of(taken), List.of()).run(List.of());
            } catch (TensorFlowException told) {
                // The queue is closed.
            }
        });
        try {
            waiting.join(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
