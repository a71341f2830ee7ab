package dev.cairn.tensorflow.model;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT32;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.List;

/// Dropout whose masks are a function of seed, step and layer. So there is no generator state to save.
final class Chance {
    private final GraphBuilder graph;
    private final Output batchSize;
    private final Output seed;
    private final Output step;

    /// @param images images whose first dimension is also the first dimension of all masks
    Chance(GraphBuilder graph, Output images, long seed, Output step) {
        this.graph = graph;
        Output shape = graph.node("Shape").in(images).type("out_type", TF_INT32).output();
        this.batchSize = graph.node("Slice")
                .in(shape)
                .in(graph.vector(0))
                .in(graph.vector(1))
                .output();
        this.seed = graph.constant(seed);
        this.step = step;
    }

    /// @param layer position of the layer in the network
    /// @param dimensions dimensions of one example
    Output dropout(Output values, double probability, int layer, int... dimensions) {
        Output shape = graph.node("ConcatV2")
                .list(List.of(batchSize, graph.vector(dimensions)))
                .in(graph.axis(0))
                .output();
        // Two numbers make one seed. A network has fewer than 2^16 layers, a run fewer than 2^47 steps.
        Output place = graph.add(graph.multiply(step, graph.constant(1L << 16)), graph.constant((long) layer));
        Output seeds = graph.node("Pack").list(List.of(seed, place)).output();
        Output drawn = graph.node("StatelessRandomUniform")
                .in(shape)
                .in(seeds)
                .type("dtype", TF_FLOAT)
                .type("Tseed", TF_INT64)
                .output();
        Output kept = graph.cast(graph.binary("GreaterEqual", drawn, graph.constant(probability)), TF_FLOAT);
        return graph.multiply(values, graph.multiply(kept, graph.constant(1 / (1 - probability))));
    }
}
