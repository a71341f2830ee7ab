package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.store.Role;
import dev.cairn.tensorflow.model.FactorizationGraph;
import dev.cairn.tensorflow.model.ModelGraph;
import dev.cairn.tensorflow.model.NetworkGraph;
import dev.cairn.tensorflow.model.Variables;
import dev.cairn.tensorflow.runtime.Call;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.Session;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalDouble;
import org.tensorflow.internal.c_api.TF_Tensor;

/// A model with its optimizer in a TensorFlow session. A step is two runs with `beforeUpdate` between them: one
/// computes gradients, the other updates. Gradients pass from one to the other without a copy.
final class TensorFlowLearner implements LocalLearner {
    private final Model model;
    private final Session session;
    private final LiveVariables variables;
    private final Call gradients;
    private final Call update;
    private final Call evaluation;
    private final Scalars scalars;
    private final UnitActivity activity = new UnitActivity();
    private final boolean chance;

    TensorFlowLearner(Model model, OptimizerSpec spec, long seed, int threads) {
        this.model = model;
        var graph = new GraphBuilder();
        var declared = new Variables(graph);
        var parameters = new HashMap<String, Parameter>();
        for (Parameter parameter : model.parameters()) {
            declared.declare(parameter.name(), parameter.shape(), Role.WEIGHT);
            parameters.put(parameter.name(), parameter);
        }
        ModelGraph built = switch (model) {
            case Model.Network network -> NetworkGraph.build(graph, declared, network, seed);
            case Model.Factorization factors -> FactorizationGraph.build(graph, declared, factors);
        };
        var optimizer = new OptimizerGraph(graph, declared, spec, model.parameters());
        UpdateGraph updates = UpdateGraph.build(graph, declared, optimizer, built.gradients());

        this.session = new Session(graph, threads);
        this.chance = built.step().isPresent();
        var given = new ArrayList<>(built.batch());
        built.step().ifPresent(given::add);
        var found = new ArrayList<>(updates.found());
        found.addFirst(built.loss());
        this.gradients = session.call(given, found, List.of());
        var fed = new ArrayList<>(updates.fed());
        fed.addAll(optimizer.scalars());
        this.update = session.call(fed, List.of(), updates.operations());
        var scores = new ArrayList<>(List.of(built.score(), built.correct()));
        built.activity().ifPresent(scores::add);
        this.evaluation = session.call(built.batch(), scores, List.of());
        this.scalars = new Scalars(spec.rule(), optimizer.scalars().size());
        this.variables = new LiveVariables(session, declared.all());
        variables.initialize(variable -> {
            Parameter parameter = parameters.get(variable.name());
            return parameter == null ? null : parameter.initialValues(seed);
        });
    }

    @Override
    public float step(Batch batch, Update step, Runnable beforeUpdate) {
        List<TF_Tensor> found = gradients(batch, step);
        try {
            beforeUpdate.run();
            variables.release();
            var fed = new ArrayList<>(found.subList(1, found.size()));
            fed.addAll(scalars.of(step));
            update.run(fed);
            return NativeTensors.toFloat(found.getFirst());
        } finally {
            found.forEach(NativeTensors::delete);
        }
    }

    private List<TF_Tensor> gradients(Batch batch, Update step) {
        var given = new ArrayList<>(BatchTensors.of(model, batch));
        try {
            if (chance) {
                TF_Tensor number = NativeTensors.allocate(TF_INT64, Long.BYTES);
                NativeTensors.memory(number).set(ValueLayout.JAVA_LONG, 0, step.step());
                given.add(number);
            }
            return gradients.run(given);
        } finally {
            given.forEach(NativeTensors::delete);
        }
    }

    @Override
    public Score evaluate(Batch batch) {
        List<TF_Tensor> given = BatchTensors.of(model, batch);
        List<TF_Tensor> found = List.of();
        try {
            found = evaluation.run(given);
            if (found.size() > 2) {
                activity.add(NativeTensors.memory(found.get(2)));
            }
            double loss = NativeTensors.toFloat(found.get(0));
            return new Score(loss * batch.size(), NativeTensors.toLong(found.get(1)), batch.size());
        } finally {
            given.forEach(NativeTensors::delete);
            found.forEach(NativeTensors::delete);
        }
    }

    @Override
    public OptionalDouble deadUnits() {
        return activity.takeDead();
    }

    @Override
    public List<LiveTensor> tensors() {
        return variables.show();
    }

    @Override
    public void tensorsRestored() {
        variables.written();
    }

    @Override
    public void close() {
        if (session.closed()) {
            return;
        }
        variables.release();
        scalars.close();
        session.close();
    }
}
