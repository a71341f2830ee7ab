package dev.cairn.tensorflow.queues;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.engine.Parameter;
import dev.cairn.engine.server.Generation;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The queues of one generation in one of several servers: one for the gradients of each worker.
///
/// @param weights the weights that are in this server
public record PartRound(Generation generation, List<Parameter> weights) {
    private static final int CAPACITY = 2;

    public PartRound {
        weights = List.copyOf(weights);
    }

    /// Where this worker sends the gradients of these weights, with its rank and the step.
    Output gradients(GraphBuilder graph, int worker) {
        return QueueSet.queue(graph, "part-%d-%d".formatted(generation.number(), worker), CAPACITY, types());
    }

    int[] types() {
        int[] types = new int[weights.size() + 1];
        Arrays.fill(types, TF_FLOAT);
        types[weights.size()] = TF_INT64;
        return types;
    }

    /// The variable in which gradients of this weight are added up.
    static Output sum(GraphBuilder graph, Parameter weight) {
        return variable(graph, "sum/" + weight.name(), weight);
    }

    static Output variable(GraphBuilder graph, String name, Parameter weight) {
        return graph.node("VarHandleOp", name)
                .type("dtype", TF_FLOAT)
                .shape("shape", shape(weight))
                .text("shared_name", name)
                .output();
    }

    static long[] shape(Parameter weight) {
        return weight.shape().stream().mapToLong(Long::longValue).toArray();
    }

    /// The sum of the gradients of this weight, for the update.
    public static Output summed(GraphBuilder graph, Parameter weight) {
        return graph.node("ReadVariableOp")
                .in(sum(graph, weight))
                .type("dtype", TF_FLOAT)
                .output();
    }

    private List<Output> queues(GraphBuilder graph) {
        return IntStream.range(0, generation.workers())
                .mapToObj(worker -> gradients(graph, worker))
                .toList();
    }

    /// Closes the queues, from any thread: all who wait for one of them, or come to it later, fail.
    public void close(String target) {
        new QueueSet(this::queues).close(target);
    }

    void remove(String target) {
        new QueueSet(this::queues).remove(target);
    }
}
