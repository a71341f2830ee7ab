package dev.cairn.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Layer;
import dev.cairn.engine.Layer.Activate;
import dev.cairn.engine.Layer.Convolution;
import dev.cairn.engine.Layer.Flatten;
import dev.cairn.engine.Layer.Linear;
import dev.cairn.engine.Layer.MaxPool;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Update;
import dev.cairn.store.Role;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Twenty steps of every kind of model with every optimizer, compared with a float64 implementation that is independent
/// of the engine.
class ArithmeticTest {
    private static final int STEPS = 20;
    private static final int BATCH = 6;
    private static final long SEED = 11;
    private static final Layer RELU = new Activate(Activation.RELU);

    private static final Model.Factorization FACTORIZATION = new Model.Factorization(7, 5, 4, 3.5f);
    private static final Model.Network CONVOLUTIONS = new Model.Network(
            3,
            15,
            List.of(
                    new Convolution("conv1", 3, 4, 3, 2, 1), // padding that no mode of TensorFlow supports
                    RELU,
                    new MaxPool(2, 2),
                    new Convolution("conv2", 4, 5, 3, 1, 1),
                    new Activate(Activation.TANH),
                    new MaxPool(3, 1), // windows that overlap
                    new Flatten(),
                    new Linear("fc1", 20, 12),
                    RELU,
                    new Linear("fc2", 12, 10)));

    private static Stream<Arguments> networks() {
        List<Model.Network> models = List.of(
                Architectures.fullyConnected(List.of(49, 10)),
                Architectures.fullyConnected(List.of(49, 12, 10)),
                Architectures.lenet5(Activation.TANH, 10),
                CONVOLUTIONS);
        List<Arguments> all = new ArrayList<>();
        models.forEach(model -> optimizers().forEach(optimizer -> all.add(Arguments.of(model, optimizer))));
        return all.stream();
    }

    /// Optimizers with a large epsilon, so that a wrong place of it would show, and a limit that most gradients
    /// exceed.
    private static Stream<OptimizerSpec> optimizers() {
        return Stream.of(
                new OptimizerSpec(new Rule.Sgd(), 0, 0),
                new OptimizerSpec(new Rule.Momentum(0.8), 0.01, 0),
                new OptimizerSpec(new Rule.Adam(0.9, 0.999, 1e-3), 0.02, 0.5));
    }

    @ParameterizedTest
    @MethodSource("networks")
    void networksTrainAsInFloat64(Model.Network model, OptimizerSpec optimizer) {
        Map<String, double[]> expected = first(model);
        var reference = new ReferenceNetwork(model, expected);
        var updates = new ReferenceOptimizer(optimizer);
        try (LocalLearner learner = new TensorFlowEngine().learner(model, optimizer, SEED, 1)) {
            for (int step = 1; step <= STEPS; step++) {
                Batch batch = Batches.of(model, BATCH, step);
                Update update = update(optimizer, step);
                learner.step(batch, update);
                Map<String, double[]> gradients = reference.gradients((Batch.Labelled) batch);
                updates.clip(gradients);
                expected.forEach(
                        (name, weights) -> updates.update(name, weights, get(gradients, name), update, _ -> true));
            }
            assertMovedTo(expected, model, learner);
        }
    }

    @ParameterizedTest
    @MethodSource("optimizers")
    void aFactorizationTrainsTheRowsOfItsBatchAsInFloat64(OptimizerSpec optimizer) {
        Map<String, double[]> expected = first(FACTORIZATION);
        var updates = new ReferenceOptimizer(optimizer);
        try (LocalLearner learner = new TensorFlowEngine().learner(FACTORIZATION, optimizer, SEED, 1)) {
            for (int step = 1; step <= STEPS; step++) {
                var batch = (Batch.Rated) Batches.of(FACTORIZATION, BATCH, step);
                Update update = update(optimizer, step);
                float loss = learner.step(batch, update);
                double expectedLoss = referenceStep(expected, batch, updates, update);
                assertThat((double) loss).isCloseTo(expectedLoss, within(1e-3));
            }
            assertMovedTo(expected, FACTORIZATION, learner);
        }
    }

    private static double referenceStep(
            Map<String, double[]> weights, Batch.Rated batch, ReferenceOptimizer updates, Update update) {
        int rank = FACTORIZATION.rank();
        double[] userFactors = get(weights, Model.Factorization.USER_FACTORS);
        double[] itemFactors = get(weights, Model.Factorization.ITEM_FACTORS);
        double[] userBias = get(weights, Model.Factorization.USER_BIAS);
        double[] itemBias = get(weights, Model.Factorization.ITEM_BIAS);
        var gradients = new HashMap<String, double[]>();
        weights.forEach((name, values) -> gradients.put(name, new double[values.length]));
        Set<Integer> users = new HashSet<>();
        Set<Integer> items = new HashSet<>();
        double loss = 0;
        for (int example = 0; example < batch.size(); example++) {
            int user = (int) batch.users().getAtIndex(ValueLayout.JAVA_LONG, example);
            int item = (int) batch.items().getAtIndex(ValueLayout.JAVA_LONG, example);
            users.add(user);
            items.add(item);
            double error = FACTORIZATION.mean()
                    + userBias[user]
                    + itemBias[item]
                    - batch.ratings().getAtIndex(ValueLayout.JAVA_FLOAT, example);
            for (int i = 0; i < rank; i++) {
                error += userFactors[user * rank + i] * itemFactors[item * rank + i];
            }
            loss += error * error / batch.size();
            double slope = 2 * error / batch.size();
            get(gradients, Model.Factorization.USER_BIAS)[user] += slope;
            get(gradients, Model.Factorization.ITEM_BIAS)[item] += slope;
            for (int i = 0; i < rank; i++) {
                get(gradients, Model.Factorization.USER_FACTORS)[user * rank + i] +=
                        slope * itemFactors[item * rank + i];
                get(gradients, Model.Factorization.ITEM_FACTORS)[item * rank + i] +=
                        slope * userFactors[user * rank + i];
            }
        }
        updates.clip(gradients);
        weights.forEach((name, values) -> {
            Set<Integer> rows = name.startsWith("user") ? users : items;
            int width = name.endsWith("bias") ? 1 : rank;
            updates.update(name, values, get(gradients, name), update, i -> rows.contains(i / width));
        });
        return loss;
    }

    private static double[] get(Map<String, double[]> values, String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    private static Update update(OptimizerSpec optimizer, int step) {
        double rate = optimizer.rule() instanceof Rule.Adam ? 0.01 : 0.05;
        return new Update(step, rate / Math.sqrt(step));
    }

    private static Map<String, double[]> first(Model model) {
        var weights = new HashMap<String, double[]>();
        for (Parameter parameter : model.parameters()) {
            float[] values = parameter.initialValues(SEED);
            double[] exact = new double[values.length];
            for (int i = 0; i < values.length; i++) {
                exact[i] = values[i];
            }
            weights.put(parameter.name(), exact);
        }
        return weights;
    }

    /// Each tensor is where it should be, within 0.02 % of the distance that it moved.
    private static void assertMovedTo(Map<String, double[]> expected, Model model, LocalLearner learner) {
        Map<String, double[]> start = first(model);
        for (LiveTensor tensor : learner.tensors()) {
            if (tensor.spec().role() != Role.WEIGHT) {
                continue;
            }
            String name = tensor.spec().name();
            float[] actual = tensor.memory().toArray(ValueLayout.JAVA_FLOAT);
            double moved = 0;
            double wrong = 0;
            for (int i = 0; i < actual.length; i++) {
                moved = Math.max(moved, Math.abs(get(expected, name)[i] - get(start, name)[i]));
                wrong = Math.max(wrong, Math.abs(get(expected, name)[i] - actual[i]));
            }
            assertThat(moved).as(name).isGreaterThan(1e-4);
            assertThat(wrong / moved).as("%s moved by %s", name, moved).isLessThan(2e-4);
        }
    }
}
