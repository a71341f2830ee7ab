package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;

import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.engine.Parameter;
import dev.cairn.store.Role;
import dev.cairn.tensorflow.model.ModelGraph.Gradient;
import dev.cairn.tensorflow.model.Variables;
import dev.cairn.tensorflow.model.Variables.Variable;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.internal.c_api.TF_Operation;

/// The arithmetic of SGD, momentum and Adam as in `torch.optim`, as operations on variables. They update whole weights
/// or only the rows of a batch.
///
/// The two corrections of Adam are folded into rate and epsilon, which [Scalars] computes. The arithmetic is the same,
/// and TensorFlow has one operation for it that works in place.
final class OptimizerGraph {
    private final GraphBuilder graph;
    private final OptimizerSpec spec;
    private final Map<String, Variable> first = new LinkedHashMap<>();
    private final Map<String, Variable> second = new LinkedHashMap<>();
    private final Variables variables;
    private final Output rate;
    private final Output epsilon;

    OptimizerGraph(GraphBuilder graph, Variables variables, OptimizerSpec spec, List<Parameter> parameters) {
        this.graph = graph;
        this.spec = spec;
        this.variables = variables;
        this.rate = graph.placeholder(TF_FLOAT);
        this.epsilon = graph.placeholder(TF_FLOAT);
        switch (spec.rule()) {
            case Rule.Sgd _ -> {}
            case Rule.Momentum _ -> declare(first, ".m/", Role.FIRST_MOMENT, parameters);
            case Rule.Adam _ -> {
                declare(first, ".m/", Role.FIRST_MOMENT, parameters);
                declare(second, ".v/", Role.SECOND_MOMENT, parameters);
            }
        }
    }

    private void declare(Map<String, Variable> state, String infix, Role role, List<Parameter> parameters) {
        for (Parameter parameter : parameters) {
            state.put(
                    parameter.name(),
                    variables.declare(spec.name() + infix + parameter.name(), parameter.shape(), role));
        }
    }

    /// The placeholders of the values that change from step to step, in the order of [Scalars].
    List<Output> scalars() {
        return spec.rule() instanceof Rule.Adam ? List.of(rate, epsilon) : List.of(rate);
    }

    /// The gradients. If their norm exceeds the limit, all are scaled by the same factor.
    List<Output> clipped(List<Gradient> gradients) {
        List<Output> values = gradients.stream().map(Gradient::value).toList();
        if (spec.clipNorm() == 0) {
            return values;
        }
        var halves = new ArrayList<Output>();
        values.forEach(value -> halves.add(graph.unary("L2Loss", value)));
        Output sum = graph.node("AddN").list(halves).output();
        Output norm = graph.unary("Sqrt", graph.multiply(sum, graph.constant(2.0)));
        Output scale = graph.binary(
                "Minimum",
                graph.constant(1.0),
                graph.binary("RealDiv", graph.constant(spec.clipNorm()), graph.add(norm, graph.constant(1e-6))));
        return values.stream().map(value -> graph.multiply(value, scale)).toList();
    }

    /// The update of a whole weight.
    TF_Operation update(String weight, Output clipped) {
        Variable variable = variables.get(weight);
        Output gradient = decayed(clipped, variable.value());
        return switch (spec.rule()) {
            case Rule.Sgd _ ->
                graph.node("ResourceApplyGradientDescent")
                        .in(variable.handle())
                        .in(rate)
                        .in(gradient)
                        .operation();
            case Rule.Momentum(double momentum) ->
                graph.node("ResourceApplyMomentum")
                        .in(variable.handle())
                        .in(state(first, weight))
                        .in(rate)
                        .in(gradient)
                        .in(graph.constant(momentum))
                        .operation();
            case Rule.Adam adam ->
                graph.node("ResourceApplyAdam")
                        .in(variable.handle())
                        .in(state(first, weight))
                        .in(state(second, weight))
                        .in(graph.constant(0.0)) // the powers of beta, which [Scalars] includes in rate and epsilon
                        .in(graph.constant(0.0))
                        .in(rate)
                        .in(graph.constant(adam.beta1()))
                        .in(graph.constant(adam.beta2()))
                        .in(epsilon)
                        .in(gradient)
                        .operation();
        };
    }

    /// The update of some rows of a weight, and of their state.
    List<TF_Operation> update(String weight, Output clipped, Output rows) {
        Output handle = variables.get(weight).handle();
        Output before = graph.gatherRows(handle, rows);
        Output gradient = decayed(clipped, before);
        var updates = new ArrayList<TF_Operation>();
        Output change = switch (spec.rule()) {
            case Rule.Sgd _ -> gradient;
            case Rule.Momentum(double momentum) -> {
                Output m = state(first, weight);
                Output mean = graph.add(graph.multiply(graph.gatherRows(m, rows), graph.constant(momentum)), gradient);
                updates.add(scatter(m, rows, mean));
                yield mean;
            }
            case Rule.Adam adam -> {
                Output m = state(first, weight);
                Output v = state(second, weight);
                Output mean = average(m, rows, adam.beta1(), gradient);
                Output square = average(v, rows, adam.beta2(), graph.unary("Square", gradient));
                updates.add(scatter(m, rows, mean));
                updates.add(scatter(v, rows, square));
                yield graph.binary("RealDiv", mean, graph.add(graph.unary("Sqrt", square), epsilon));
            }
        };
        updates.add(scatter(handle, rows, graph.binary("Sub", before, graph.multiply(change, rate))));
        return updates;
    }

    private Output average(Output handle, Output rows, double beta, Output next) {
        return graph.add(
                graph.multiply(graph.gatherRows(handle, rows), graph.constant(beta)),
                graph.multiply(next, graph.constant(1 - (double) (float) beta)));
    }

    private TF_Operation scatter(Output handle, Output rows, Output values) {
        return graph.node("ResourceScatterUpdate")
                .in(handle)
                .in(rows)
                .in(values)
                .type("dtype", TF_FLOAT)
                .operation();
    }

    private Output decayed(Output gradient, Output weight) {
        return spec.weightDecay() == 0
                ? gradient
                : graph.add(gradient, graph.multiply(weight, graph.constant(spec.weightDecay())));
    }

    private static Output state(Map<String, Variable> states, String weight) {
        Variable state = states.get(weight);
        if (state == null) {
            throw new IllegalStateException("no optimizer state for " + weight);
        }
        return state.handle();
    }
}
