package dev.cairn.tensorflow.model;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.engine.Layer;
import dev.cairn.engine.Model;
import dev.cairn.engine.Parameter;
import dev.cairn.tensorflow.model.ModelGraph.Gradient;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A classification network as a graph.
public final class NetworkGraph {
    private NetworkGraph() {}

    public static ModelGraph build(GraphBuilder graph, Variables variables, Model.Network model, long seed) {
        Output images = graph.placeholder(TF_FLOAT, -1, model.channels(), model.side(), model.side());
        Output labels = graph.placeholder(TF_INT64, -1);
        boolean chance = model.layers().stream().anyMatch(Layer.Dropout.class::isInstance);
        Optional<Output> step = chance ? Optional.of(graph.placeholder(TF_INT64)) : Optional.empty();

        var evaluated = new ForwardPass(graph, variables, images, model, Optional.empty());
        ForwardPass trained = step.isEmpty()
                ? evaluated
                : new ForwardPass(graph, variables, images, model, step.map(s -> new Chance(graph, images, seed, s)));
        Output crossEntropy = crossEntropy(graph, trained.logits(), labels);
        // The second output is the gradient, so this operation need not be differentiated.
        Output examples = graph.cast(graph.node("Size").in(labels).output(), TF_FLOAT);
        Output slope = graph.binary("RealDiv", new Output(crossEntropy.operation(), 1), examples);
        List<Parameter> parameters = model.parameters();
        List<Output> weights =
                parameters.stream().map(p -> variables.get(p.name()).value()).toList();
        List<Output> slopes = graph.gradients(trained.logits(), slope, weights);
        var gradients = new ArrayList<Gradient>();
        for (int i = 0; i < slopes.size(); i++) {
            gradients.add(new Gradient(parameters.get(i).name(), slopes.get(i), Optional.empty()));
        }
        return new ModelGraph(
                List.of(images, labels),
                step,
                graph.mean(crossEntropy),
                gradients,
                graph.mean(crossEntropy(graph, evaluated.logits(), labels)),
                correct(graph, evaluated.logits(), labels),
                evaluated.activity());
    }

    private static Output crossEntropy(GraphBuilder graph, Output logits, Output labels) {
        return graph.binary("SparseSoftmaxCrossEntropyWithLogits", logits, labels);
    }

    private static Output correct(GraphBuilder graph, Output logits, Output labels) {
        Output best = graph.node("ArgMax")
                .in(logits)
                .in(graph.axis(1))
                .type("output_type", TF_INT64)
                .output();
        Output right = graph.cast(graph.binary("Equal", best, labels), TF_INT64);
        return graph.binary("Sum", right, graph.vector(0));
    }
}
