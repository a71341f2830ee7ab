package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Attributes;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that saves for the training of another one.
class ForeignStateTest {
    @TempDir
    Path run;

    private final List<LiveTensor> made = new ArrayList<>();

    private static CheckpointOptions options() {
        return CheckpointOptions.defaults().withCapture(CaptureMode.FUSED).withoutLog();
    }

    private static TrainingState state(float value, int length) {
        float[] values = new float[length];
        values[length - 1] = value;
        return TrainingState.of(LiveTensor.weight("w", values));
    }

    private TrainingState make(List<TensorSpec> tensors) {
        made.clear();
        for (TensorSpec spec : tensors) {
            made.add(new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), 64)));
        }
        return new TrainingState() {
            @Override
            public List<LiveTensor> tensors() {
                return made;
            }

            @Override
            public Attributes attributes() {
                return Attributes.empty();
            }

            @Override
            public void restored(long step, Attributes attributes) {}
        };
    }

    @Test
    void restoresIntoMemoryThatIsMadeForTheCheckpoint() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            assertThat(checkpoints.restoreLatest(this::make)).isEmpty();
            assertThat(checkpoints.saveCopy(1, state(7, 300), Duration.ZERO).isSaved())
                    .isTrue();
        }
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            assertThat(checkpoints.restoreLatest(this::make).orElseThrow().step())
                    .isEqualTo(1);
        }
        MemorySegment memory = made.getFirst().memory();
        assertThat(memory.byteSize()).isEqualTo(1200);
        assertThat(memory.getAtIndex(ValueLayout.JAVA_FLOAT, 299)).isEqualTo(7);
    }

    @Test
    void countsTheTimeThatTheTrainingWaitedElsewhere() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            SaveOutcome outcome = checkpoints.saveCopyNow(1, state(1, 10), Duration.ofSeconds(3));
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            SaveOutcome.Committed.class,
                            committed -> assertThat(committed.stall()).isEqualTo(Duration.ofSeconds(3)));
            assertThat(checkpoints.statistics().stall()).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
        }
    }

    @Test
    void continuesARunWhoseStateIsStillThereWithABase() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            checkpoints.saveCopy(5, state(1, 1000), Duration.ZERO);
        }
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            assertThat(checkpoints.continueUnrestored().orElseThrow().step()).isEqualTo(5);
            assertThat(checkpoints.saveCopy(6, state(2, 1000), Duration.ZERO))
                    .isInstanceOfSatisfying(
                            SaveOutcome.Committed.class,
                            committed ->
                                    assertThat(committed.checkpoint().kind()).isEqualTo(Checkpoint.Kind.BASE));
        }
    }

    @Test
    void asksThePolicyAboutStepsThatWereMadeElsewhere() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(run, options().withPolicy(new SavePolicy.EverySteps(3)))) {
            checkpoints.noteSteps(100, Duration.ofMillis(2), false);
            assertThat(checkpoints.isTimeToSave(2)).isFalse();
            assertThat(checkpoints.isTimeToSave(3)).isTrue();
        }
    }
}
