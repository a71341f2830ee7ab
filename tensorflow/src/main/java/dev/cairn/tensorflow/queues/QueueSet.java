package dev.cairn.tensorflow.queues;

import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import dev.cairn.tensorflow.runtime.Session;
import java.util.List;
import java.util.function.Function;
import org.tensorflow.internal.c_api.TF_Operation;

/// Some queues of a server.
///
/// @param queues adds them to a graph
record QueueSet(Function<GraphBuilder, List<Output>> queues) {
    static Output queue(GraphBuilder graph, String name, int capacity, int... types) {
        return graph.node("FIFOQueueV2")
                .types("component_types", types)
                .integer("capacity", capacity)
                .text("shared_name", name)
                .output();
    }

    /// Closes them, from any thread: all who wait for one of them, or come to it later, fail.
    void close(String target) {
        run(
                target,
                (graph, queue) -> graph.node("QueueCloseV2")
                        .in(queue)
                        .flag("cancel_pending_enqueues")
                        .operation());
    }

    /// Removes them, with what is left in them.
    void remove(String target) {
        run(
                target,
                (graph, queue) -> graph.node("DestroyResourceOp")
                        .in(queue)
                        .flag("ignore_lookup_error")
                        .operation());
    }

    private interface Each {
        TF_Operation of(GraphBuilder graph, Output queue);
    }

    private void run(String target, Each each) {
        var graph = new GraphBuilder();
        List<TF_Operation> all =
                queues.apply(graph).stream().map(queue -> each.of(graph, queue)).toList();
        try (Session session = Session.on(target, graph)) {
            session.call(List.of(), List.of(), all).run(List.of());
        }
    }
}
