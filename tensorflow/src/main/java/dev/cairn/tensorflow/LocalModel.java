package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Model;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Score;
import dev.cairn.store.Role;
import dev.cairn.tensorflow.model.FactorizationGraph;
import dev.cairn.tensorflow.model.GradientRows;
import dev.cairn.tensorflow.model.ModelGraph;
import dev.cairn.tensorflow.model.ModelGraph.Gradient;
import dev.cairn.tensorflow.model.NetworkGraph;
import dev.cairn.tensorflow.model.Variables;
import dev.cairn.tensorflow.model.Variables.Variable;
import dev.cairn.tensorflow.runtime.Call;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.Output;
import dev.cairn.tensorflow.runtime.Session;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.tensorflow.internal.c_api.TF_Tensor;

/// Computes gradients and scores in this process, with weights that a server has.
final class LocalModel implements AutoCloseable {
    private final Model model;
    private final List<Variable> declared;
    private final Session session;
    private final LiveVariables variables;
    private final Call gradients;
    private final Call evaluation;
    private final UnitActivity activity = new UnitActivity();
    private final boolean chance;
    private boolean hasWeights;

    LocalModel(Model model, long seed, int threads) {
        this.model = model;
        var graph = new GraphBuilder();
        var all = new Variables(graph);
        for (Parameter parameter : model.parameters()) {
            all.declare(parameter.name(), parameter.shape(), Role.WEIGHT);
        }
        ModelGraph built = switch (model) {
            case Model.Network network -> NetworkGraph.build(graph, all, network, seed);
            case Model.Factorization factors -> FactorizationGraph.build(graph, all, factors);
        };
        Output examples = graph.placeholder(TF_FLOAT);
        var found = new ArrayList<Output>();
        for (Gradient gradient : built.gradients()) {
            found.add(graph.multiply(gradient.value(), examples));
        }
        built.gradients().stream()
                .flatMap(gradient -> gradient.rows().stream())
                .distinct()
                .forEach(found::add);
        found.add(graph.node("Pack")
                .list(List.of(graph.multiply(built.loss(), examples), examples))
                .output());
        var given = new ArrayList<>(built.batch());
        given.add(examples);
        built.step().ifPresent(given::add);
        var scores = new ArrayList<>(List.of(built.score(), built.correct()));
        built.activity().ifPresent(scores::add);

        this.declared = all.all();
        this.chance = built.step().isPresent();
        this.session = new Session(graph, threads);
        this.gradients = session.call(given, found, List.of());
        this.evaluation = session.call(built.batch(), scores, List.of());
        this.variables = new LiveVariables(session, declared);
    }

    /// Sets the weights, in the order of the model's parameters.
    void set(List<TF_Tensor> weights) {
        variables.release();
        variables.set(weights);
        hasWeights = true;
    }

    /// The memory of the weights; zeros if none were set.
    List<LiveTensor> tensors() {
        if (!hasWeights) {
            variables.initialize(_ -> null);
            hasWeights = true;
        }
        return variables.show();
    }

    /// Sets the weights to what was written into [#tensors].
    void written() {
        variables.written();
    }

    /// The sums of the gradients of these examples, in the order of the model's parameters, and then the sum of the
    /// losses with the number of examples. The caller deletes the tensors.
    ///
    /// @param draw decides the random numbers
    List<TF_Tensor> gradients(Batch batch, long draw) {
        if (batch.size() == 0) {
            return nothing();
        }
        var given = new ArrayList<>(BatchTensors.of(model, batch));
        try {
            TF_Tensor examples = NativeTensors.allocate(TF_FLOAT, Float.BYTES);
            NativeTensors.memory(examples).set(ValueLayout.JAVA_FLOAT, 0, batch.size());
            given.add(examples);
            if (chance) {
                TF_Tensor number = NativeTensors.allocate(TF_INT64, Long.BYTES);
                NativeTensors.memory(number).set(ValueLayout.JAVA_LONG, 0, draw);
                given.add(number);
            }
            return gradients.run(given);
        } finally {
            given.forEach(NativeTensors::delete);
        }
    }

    /// The gradients of no examples.
    private List<TF_Tensor> nothing() {
        var zeros = new ArrayList<TF_Tensor>();
        GradientRows rows = GradientRows.of(model);
        for (Variable variable : declared) {
            long[] shape = variable.dimensions();
            if (rows.areRows()) {
                shape[0] = 0;
            }
            zeros.add(NativeTensors.allocate(
                    TF_FLOAT, rows.areRows() ? 0 : variable.spec().sizeBytes(), shape));
        }
        for (int set = 0; set < rows.count(); set++) {
            zeros.add(NativeTensors.allocate(TF_INT64, 0, 0));
        }
        zeros.add(NativeTensors.allocate(TF_FLOAT, 2 * Float.BYTES, 2));
        zeros.stream()
                .filter(tensor -> !rows.areRows() || tensor.equals(zeros.getLast()))
                .forEach(tensor -> NativeTensors.memory(tensor).fill((byte) 0));
        return zeros;
    }

    Score evaluate(Batch batch) {
        List<TF_Tensor> given = BatchTensors.of(model, batch);
        List<TF_Tensor> found = List.of();
        try {
            found = evaluation.run(given);
            if (found.size() > 2) {
                MemorySegment largest = NativeTensors.memory(found.get(2));
                activity.add(largest);
            }
            double loss = NativeTensors.toFloat(found.get(0));
            return new Score(loss * batch.size(), NativeTensors.toLong(found.get(1)), batch.size());
        } finally {
            given.forEach(NativeTensors::delete);
            found.forEach(NativeTensors::delete);
        }
    }

    OptionalDouble deadUnits() {
        return activity.takeDead();
    }

    @Override
    public void close() {
        if (!session.closed()) {
            variables.release();
            session.close();
        }
    }
}
