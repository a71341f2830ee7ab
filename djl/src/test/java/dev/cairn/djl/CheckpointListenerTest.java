package dev.cairn.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.norm.Dropout;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.Attributes;
import dev.cairn.store.UnfitAttributesException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointListenerTest {
    private static final int BATCHES = 8;
    private static final int EPOCHS = 4;

    @TempDir
    Path folder;

    @BeforeAll
    static void stayOffline() {
        System.setProperty("ai.djl.offline", "true");
    }

    /// A loss without Java numbers, whose memory DJL may free before the backward pass.
    private static final class Squares extends Loss {
        Squares() {
            super("squares");
        }

        @Override
        public NDArray evaluate(NDList labels, NDList outputs) {
            return labels.head().sub(outputs.head()).square().mean();
        }
    }

    /// Two layers, normalization and dropout, with shuffled data.
    private static final class Training implements AutoCloseable {
        final Checkpoints checkpoints;
        final NDManager manager = NDManager.newBaseManager();
        final Model model = Model.newInstance("test");
        final Dataset data;
        final CheckpointListener listener;
        final Trainer trainer;

        Training(Checkpoints checkpoints, Optimizer optimizer) {
            this.checkpoints = checkpoints;
            NDArray x = manager.arange(-8, 8, 0.125f).reshape(-1, 2).sin();
            this.data = new ArrayDataset.Builder()
                    .setData(x)
                    .optLabels(x.sum(new int[] {1}, true))
                    .setSampling(8, true)
                    .build();
            model.setBlock(new SequentialBlock()
                    .add(Linear.builder().setUnits(8).build())
                    .add(BatchNorm.builder().build())
                    .add(Dropout.builder().optRate(0.3f).build())
                    .add(Linear.builder().setUnits(1).build()));
            this.listener = new CheckpointListener(checkpoints, optimizer, 7);
            this.trainer = model.newTrainer(new DefaultTrainingConfig(new Squares())
                    .optOptimizer(optimizer)
                    .addTrainingListeners(listener));
            trainer.initialize(new Shape(1, 2));
        }

        void fit() throws Exception {
            EasyTrain.fit(trainer, EPOCHS - (int) listener.epoch(), listener.remaining(data), null);
        }

        /// Trains this many batches of the next epoch, like a process that is killed then. Skips no save, however slow
        /// the disk is.
        void trainSome(int batches) throws Exception {
            Iterator<Batch> epoch =
                    trainer.iterateDataset(listener.remaining(data)).iterator();
            for (int i = 0; i < batches; i++) {
                checkpoints.awaitSave();
                try (Batch batch = epoch.next()) {
                    EasyTrain.trainBatch(trainer, batch);
                    trainer.step();
                }
            }
        }

        Map<String, List<Float>> weights() {
            var weights = new HashMap<String, List<Float>>();
            model.getBlock().getParameters().forEach(pair -> {
                var values = new ArrayList<Float>();
                for (float value : pair.getValue().getArray().toFloatArray()) {
                    values.add(value);
                }
                weights.put(pair.getKey(), values);
            });
            return weights;
        }

        @Override
        public void close() {
            trainer.close();
            model.close();
            manager.close();
        }
    }

    /// The optimizers of DJL's PyTorch engine.
    static Stream<Arguments> optimizers() {
        return Stream.of(
                kind(
                        "sgd",
                        () -> Optimizer.sgd().setLearningRateTracker(falling()).build()),
                kind(
                        "momentum",
                        () -> Optimizer.sgd()
                                .setLearningRateTracker(falling())
                                .optMomentum(0.9f)
                                .build()),
                kind(
                        "adam",
                        () -> Optimizer.adam().optLearningRateTracker(falling()).build()),
                kind(
                        "adamw",
                        () -> Optimizer.adamW()
                                .optLearningRateTracker(falling())
                                .build()));
    }

    /// A rate that changes before and after the kill.
    private static Tracker falling() {
        return Tracker.multiFactor()
                .setSteps(new int[] {5, 20})
                .optFactor(0.5f)
                .setBaseValue(0.05f)
                .build();
    }

    private static Arguments kind(String name, Supplier<Optimizer> optimizer) {
        return Arguments.of(name, optimizer);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("optimizers")
    void aRestoredTrainerGoesOnInTheSameBits(String name, Supplier<Optimizer> optimizer) throws Exception {
        Map<String, List<Float>> expected;
        try (Checkpoints checkpoints = open("undisturbed", 1000);
                var training = new Training(checkpoints, optimizer.get())) {
            assertThat(training.listener.restore(training.trainer)).isEmpty();
            training.fit();
            expected = training.weights();
        }
        try (Checkpoints checkpoints = open("killed", 1)) {
            var training = new Training(checkpoints, optimizer.get());
            training.listener.restore(training.trainer);
            EasyTrain.fit(training.trainer, 1, training.listener.remaining(training.data), null);
            training.trainSome(4); // the end of the last one was not reported
            checkpoints.awaitSave();
        }
        try (Checkpoints checkpoints = open("killed", 1000);
                var training = new Training(checkpoints, optimizer.get())) {
            training.listener.restore(training.trainer);
            assertThat(training.listener.step()).isEqualTo(BATCHES + 3);
            assertThat(training.listener.epoch()).isEqualTo(1);
            assertThat(training.listener.batch()).isEqualTo(3);
            training.fit();
            assertThat(training.listener.step()).isEqualTo(EPOCHS * BATCHES);
            assertThat(training.weights()).isEqualTo(expected);
        }
    }

    @Test
    void closingTheTrainerSavesTheLastStepAndNoHalfOne() throws Exception {
        try (Checkpoints checkpoints = open("run", 1000)) {
            try (var training = new Training(checkpoints, Optimizer.adam().build())) {
                training.listener.restore(training.trainer);
                training.trainSome(5);
            }
            assertThat(checkpoints.lastSavedStep()).hasValue(5);
            try (var training = new Training(checkpoints, Optimizer.adam().build())) {
                training.listener.restore(training.trainer);
                Iterator<Batch> epoch = training.trainer
                        .iterateDataset(training.listener.remaining(training.data))
                        .iterator();
                EasyTrain.trainBatch(training.trainer, epoch.next());
            }
            assertThat(checkpoints.lastSavedStep()).hasValue(5);
        }
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        try (Checkpoints checkpoints = open("run", 1000);
                var training = new Training(checkpoints, Optimizer.adam().build())) {
            assertThatThrownBy(() -> training.trainSome(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("call restore(trainer) after trainer.initialize(shapes)");
            assertThatThrownBy(() -> new CheckpointListener(checkpoints, new Hoarding(), 1))
                    .hasMessageContaining("the state of this optimizer cannot be found")
                    .hasMessageContaining("keeps a java.util.List<ai.djl.ndarray.NDArray>");
        }
    }

    @Test
    void anotherOptimizersCheckpointIsRefused() throws Exception {
        try (Checkpoints checkpoints = open("run", 1000)) {
            try (var training = new Training(checkpoints, Optimizer.adam().build())) {
                training.listener.restore(training.trainer);
                training.trainSome(2);
            }
            Tracker rate = Tracker.fixed(0.1f);
            try (var training = new Training(
                    checkpoints, Optimizer.sgd().setLearningRateTracker(rate).build())) {
                assertThatThrownBy(() -> training.listener.restore(training.trainer))
                        .hasMessageContaining(
                                "the checkpoint has the state of another optimizer: class=Sgd has no field");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoch", "batch"})
    void attributesThatNameNoPlaceInTheDataDoNotFit(String name) throws IOException {
        Attributes place = Attributes.empty().with("epoch", 2).with("batch", 3);
        try (Checkpoints checkpoints = open("run", 1000);
                var training = new Training(checkpoints, Optimizer.adam().build())) {
            var state = new TrainerState(
                    training.trainer, new OptimizerMaps(Optimizer.adam().build()));
            for (Attributes unfit : List.of(place.without(name), place.with(name, -1), place.with(name, "first"))) {
                assertThatThrownBy(() -> state.restored(1, unfit))
                        .isInstanceOf(UnfitAttributesException.class)
                        .hasMessageContaining(name);
            }
            state.restored(1, place);
            assertThat(state.position()).isEqualTo(new TrainerState.Position(2, 3));
        }
    }

    private Checkpoints open(String run, int every) throws IOException {
        return Checkpoints.open(
                folder.resolve(run), CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(every)));
    }

    /// An optimizer that keeps its state in an unusual way.
    private static final class Hoarding extends Optimizer {
        final List<NDArray> kept = new ArrayList<>();

        Hoarding() {
            super(new OptimizerBuilder<>() {
                @Override
                protected OptimizerBuilder<?> self() {
                    return this;
                }
            });
        }

        @Override
        public void update(String parameterId, NDArray weight, NDArray gradient) {
            kept.add(gradient);
        }
    }
}
