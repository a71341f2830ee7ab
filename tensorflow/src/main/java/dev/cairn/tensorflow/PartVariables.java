package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Update;
import dev.cairn.store.Role;
import dev.cairn.tensorflow.model.Variables;
import dev.cairn.tensorflow.queues.PartRound;
import dev.cairn.tensorflow.runtime.Call;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.Output;
import dev.cairn.tensorflow.runtime.Session;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Tensor;

/// The weights that are in one of several servers, with the state of their optimizer, and their update. The update
/// takes the sums of gradients that are there ([PartGradients][dev.cairn.tensorflow.queues.PartGradients]).
final class PartVariables implements AutoCloseable {
    private final String target;
    private final Map<String, Parameter> parameters = new HashMap<>();
    private final Session session;
    private final LiveVariables variables;
    private final Call weights;
    private final Call all;
    private final Call norm;
    private final Call update;
    private final Call removal;
    private final Scalars scalars;

    /// @param target the server
    PartVariables(String target, List<Parameter> served, OptimizerSpec spec) {
        this.target = target;
        served.forEach(parameter -> parameters.put(parameter.name(), parameter));
        var graph = new GraphBuilder();
        var declared = new Variables(graph);
        served.forEach(parameter -> declared.declare(parameter.name(), parameter.shape(), Role.WEIGHT));
        List<Output> values =
                declared.all().stream().map(Variables.Variable::value).toList();
        var optimizer = new OptimizerGraph(graph, declared, spec.withClipNorm(0), served);
        Output factor = graph.placeholder(TF_FLOAT);
        var updates = new ArrayList<TF_Operation>();
        Output squares = graph.constant(0.0);
        for (Parameter parameter : served) {
            Output sum = PartRound.summed(graph, parameter);
            squares = graph.add(squares, graph.unary("L2Loss", sum));
            Output mean = graph.multiply(sum, factor);
            updates.add(optimizer.update(parameter.name(), mean));
        }
        var fed = new ArrayList<>(List.of(factor));
        fed.addAll(optimizer.scalars());
        List<TF_Operation> removing = declared.all().stream()
                .map(variable -> graph.node("DestroyResourceOp")
                        .in(variable.handle())
                        .flag("ignore_lookup_error")
                        .operation())
                .toList();

        this.session = Session.of(target, graph);
        this.weights = session.call(List.of(), values, List.of());
        this.all = session.call(
                List.of(),
                declared.all().stream().map(Variables.Variable::value).toList(),
                List.of());
        this.norm = session.call(List.of(), List.of(squares), List.of());
        this.update = session.call(fed, List.of(), updates);
        this.removal = session.call(List.of(), List.of(), removing);
        this.scalars = new Scalars(spec.rule(), optimizer.scalars().size());
        this.variables = new LiveVariables(session, declared.all());
    }

    /// Where the variables are.
    String target() {
        return target;
    }

    /// Sets the first values of this seed.
    void initialize(long seed) {
        variables.initialize(variable -> {
            Parameter parameter = parameters.get(variable.name());
            return parameter == null ? null : parameter.initialValues(seed);
        });
    }

    List<LiveTensor> show() {
        return variables.show();
    }

    void written() {
        variables.written();
    }

    /// The weights alone. The caller deletes them.
    List<TF_Tensor> weights() {
        return weights.run(List.of());
    }

    /// Sets everything to the values in another server, and removes them there.
    void takeFrom(PartVariables other) {
        List<TF_Tensor> values = other.all.run(List.of());
        try {
            variables.set(values);
        } finally {
            values.forEach(NativeTensors::delete);
        }
        other.variables.release();
        other.removal.run(List.of());
    }

    /// Half the sum of the squares of all sums of gradients.
    double halfSquares() {
        List<TF_Tensor> found = norm.run(List.of());
        double half = NativeTensors.memory(found.getFirst()).get(ValueLayout.JAVA_FLOAT, 0);
        found.forEach(NativeTensors::delete);
        return half;
    }

    /// Makes the update with the sums of the gradients times this factor. What was shown is no longer valid.
    void update(float factor, Update step) {
        variables.release();
        TF_Tensor scale = NativeTensors.allocate(TF_FLOAT, Float.BYTES);
        try {
            NativeTensors.memory(scale).set(ValueLayout.JAVA_FLOAT, 0, factor);
            var fed = new ArrayList<>(List.of(scale));
            fed.addAll(scalars.of(step));
            update.run(fed);
        } finally {
            NativeTensors.delete(scale);
        }
    }

    @Override
    public void close() {
        if (!session.closed()) {
            variables.release();
            scalars.close();
            session.close();
        }
    }
}
