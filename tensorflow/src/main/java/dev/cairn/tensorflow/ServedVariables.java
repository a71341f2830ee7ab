package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Update;
import dev.cairn.store.Role;
import dev.cairn.tensorflow.model.GradientRows;
import dev.cairn.tensorflow.model.ModelGraph.Gradient;
import dev.cairn.tensorflow.model.Variables;
import dev.cairn.tensorflow.queues.WorkerQueues;
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
import java.util.Optional;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Tensor;

/// Weights in a server, with the state of their optimizer, and the update of all of them.
final class ServedVariables implements AutoCloseable {
    private final Map<String, Parameter> parameters = new HashMap<>();
    private final Session session;
    private final LiveVariables variables;
    private final Call weights;
    private final Call update;
    private final Call count;
    private final Scalars scalars;

    /// @param target the server
    ServedVariables(String target, Model model, OptimizerSpec spec) {
        List<Parameter> served = model.parameters();
        served.forEach(parameter -> parameters.put(parameter.name(), parameter));
        var graph = new GraphBuilder();
        var declared = new Variables(graph);
        served.forEach(parameter -> declared.declare(parameter.name(), parameter.shape(), Role.WEIGHT));
        List<Output> values =
                declared.all().stream().map(Variables.Variable::value).toList();
        var optimizer = new OptimizerGraph(graph, declared, spec, served);
        var fed = new ArrayList<Output>();
        var gradients = new ArrayList<Gradient>();
        Output factor = graph.placeholder(TF_FLOAT);
        GradientRows rows = GradientRows.of(model);
        for (Parameter parameter : served) {
            fed.add(graph.placeholder(TF_FLOAT, rows.shape(parameter.shape())));
        }
        var sets = new ArrayList<TF_Operation>();
        for (int set = 0; set < rows.count(); set++) {
            Output all = graph.placeholder(TF_INT64, -1);
            fed.add(all);
            sets.add(graph.unary("Unique", all).operation());
        }
        for (int i = 0; i < served.size(); i++) {
            Output sum = fed.get(i);
            Optional<Output> own = Optional.empty();
            if (rows.areRows()) {
                TF_Operation set = sets.get(rows.sets().get(i));
                own = Optional.of(new Output(set, 0));
                sum = graph.node("UnsortedSegmentSum")
                        .in(sum)
                        .in(new Output(set, 1))
                        .in(graph.node("Size").in(own.get()).output())
                        .output();
            }
            gradients.add(new Gradient(served.get(i).name(), graph.multiply(sum, factor), own));
        }
        List<Output> clipped = optimizer.clipped(gradients);
        var updates = new ArrayList<TF_Operation>();
        for (int i = 0; i < clipped.size(); i++) {
            Gradient gradient = gradients.get(i);
            if (gradient.rows().isPresent()) {
                updates.addAll(optimizer.update(
                        gradient.weight(), clipped.get(i), gradient.rows().get()));
            } else {
                updates.add(optimizer.update(gradient.weight(), clipped.get(i)));
            }
        }
        Output updatesFed = graph.placeholder(TF_INT64);
        TF_Operation counting = graph.node("AssignVariableOp")
                .in(WorkerQueues.updates(graph))
                .in(updatesFed)
                .type("dtype", TF_INT64)
                .operation();
        fed.add(factor);
        fed.addAll(optimizer.scalars());

        this.session = Session.on(target, graph);
        this.weights = session.call(List.of(), values, List.of());
        this.update = session.call(fed, List.of(), updates);
        this.count = session.call(List.of(updatesFed), List.of(), List.of(counting));
        this.scalars = new Scalars(spec.rule(), optimizer.scalars().size());
        this.variables = new LiveVariables(session, declared.all());
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

    /// Lets workers know how many updates the weights have, at most.
    void count(long updates) {
        TF_Tensor number = NativeTensors.allocate(TF_INT64, Long.BYTES);
        try {
            NativeTensors.memory(number).set(ValueLayout.JAVA_LONG, 0, updates);
            count.run(List.of(number));
        } finally {
            NativeTensors.delete(number);
        }
    }

    /// Makes the update with the mean of these gradients. What was shown is no longer valid.
    ///
    /// @param sums the sums of the gradients, in the order of the weights
    void update(List<TF_Tensor> sums, int examples, Update step) {
        variables.release();
        var fed = new ArrayList<>(sums);
        TF_Tensor factor = NativeTensors.allocate(TF_FLOAT, Float.BYTES);
        try {
            NativeTensors.memory(factor).set(ValueLayout.JAVA_FLOAT, 0, 1f / examples);
            fed.add(factor);
            fed.addAll(scalars.of(step));
            update.run(fed);
        } finally {
            NativeTensors.delete(factor);
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
