package dev.cairn.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Update;
import dev.cairn.store.Attributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Saves in parallel with training steps, and restores into another learner. What was saved is the state after its
/// step.
class CheckpointedTest {
    private static final int BATCH = 16;
    private static final int STEPS = 8;

    @TempDir
    private Path run;

    private static Stream<Arguments> cases() {
        List<Arguments> all = new ArrayList<>();
        for (CaptureMode mode : CaptureMode.values()) {
            all.add(Arguments.of(Architectures.lenet5(Activation.RELU, 10), mode));
            all.add(Arguments.of(new Model.Factorization(300, 200, 16, 3.5f), mode));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatIsSavedBesideAStepIsTheStateBeforeIt(Model model, CaptureMode mode) throws IOException {
        CheckpointOptions options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCapture(mode);
        List<Map<String, float[]>> states = new ArrayList<>();
        try (LocalLearner learner = learner(model);
                Checkpoints checkpoints = Checkpoints.open(run, options)) {
            for (int step = 1; step <= STEPS; step++) {
                learner.step(Batches.of(model, BATCH, step), new Update(step, 0.01), checkpoints::beforeUpdate);
                checkpoints.afterStep(step, new State(learner));
                states.add(States.of(learner));
            }
        }
        try (LocalLearner learner = learner(model);
                Checkpoints checkpoints = Checkpoints.open(run, options)) {
            long step = checkpoints
                    .restoreLatest(new State(learner))
                    .map(Checkpoint::step)
                    .orElseThrow();
            assertThat(States.of(learner)).containsExactlyEntriesOf(states.get((int) step - 1));
            while (step < STEPS) {
                step++;
                learner.step(Batches.of(model, BATCH, step), new Update(step, 0.01), checkpoints::beforeUpdate);
            }
            assertThat(States.of(learner)).containsExactlyEntriesOf(states.getLast());
        }
    }

    private static LocalLearner learner(Model model) {
        return new TensorFlowEngine().learner(model, OptimizerSpec.of("adam"), 3, 1);
    }

    private record State(LocalLearner learner) implements TrainingState {
        @Override
        public List<LiveTensor> tensors() {
            return learner.tensors();
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty();
        }

        @Override
        public void restored(long step, Attributes attributes) {
            learner.tensorsRestored();
        }
    }
}
