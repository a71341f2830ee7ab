package dev.cairn.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Layer.Activate;
import dev.cairn.engine.Layer.Convolution;
import dev.cairn.engine.Layer.Dropout;
import dev.cairn.engine.Layer.Flatten;
import dev.cairn.engine.Layer.Linear;
import dev.cairn.engine.Layer.MaxPool;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The same seed, batches and threads give the same bits, whether or not the run was interrupted.
class ExactnessTest {
    private static final int BATCH = 32;

    private static final Model DROPOUT = new Model.Network(
            3,
            16,
            List.of(
                    new Convolution("conv1", 3, 8, 5, 2, 2),
                    new Activate(Activation.RELU),
                    new Dropout(0.2),
                    new MaxPool(3, 2),
                    new Flatten(),
                    new Dropout(0.5),
                    new Linear("fc1", 72, 32),
                    new Activate(Activation.RELU),
                    new Dropout(0.5),
                    new Linear("fc2", 32, 10)));

    private static Stream<Arguments> cases() {
        List<Model> models = List.of(
                Architectures.fullyConnected(List.of(784, 10)),
                Architectures.lenet5(Activation.RELU, 10),
                DROPOUT,
                new Model.Factorization(50, 40, 8, 3.5f));
        List<Arguments> all = new ArrayList<>();
        for (Model model : models) {
            for (String optimizer : List.of("sgd", "momentum", "adam")) {
                all.add(Arguments.of(model, optimizer, all.size() % 2 + 1));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void anInterruptedRunEndsInTheBitsOfAnUndisturbedOne(Model model, String name, int threads) {
        OptimizerSpec optimizer =
                OptimizerSpec.of(name).withWeightDecay(1e-3).withClipNorm(name.equals("momentum") ? 1 : 0);
        Map<String, float[]> undisturbed;
        try (LocalLearner learner = learner(model, optimizer, threads)) {
            train(learner, model, 1, 8);
            undisturbed = States.of(learner);
        }
        Map<String, float[]> stopped;
        try (LocalLearner learner = learner(model, optimizer, threads)) {
            train(learner, model, 1, 4);
            stopped = States.of(learner);
        }
        try (LocalLearner learner = learner(model, optimizer, threads)) {
            learner.evaluate(Batches.of(model, BATCH, 77));
            train(learner, model, 20, 21);
            States.restore(learner, stopped);
            assertThat(States.of(learner)).containsExactlyEntriesOf(stopped);
            train(learner, model, 5, 8);
            assertThat(States.of(learner)).containsExactlyEntriesOf(undisturbed);
        }
    }

    private static LocalLearner learner(Model model, OptimizerSpec optimizer, int threads) {
        return new TensorFlowEngine().learner(model, optimizer, 5, threads);
    }

    private static void train(LocalLearner learner, Model model, int from, int to) {
        for (int step = from; step <= to; step++) {
            learner.step(Batches.of(model, BATCH, step), new Update(step, 0.01));
        }
    }
}
