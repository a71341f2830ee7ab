package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.SavePolicy.EverySteps;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Loops that decide on their saves together with other processes.
class DecidedSavesTest {
    @TempDir
    Path run;

    @Test
    void thePolicySaysWhatIsDueAndTheLoopDecidesWhatIsSaved() throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints =
                Checkpoints.open(run, CheckpointOptions.defaults().withoutLog().withPolicy(new EverySteps(3)))) {
            for (long step = 1; step <= 6; step++) {
                assertThat(checkpoints.isSaveDue(step)).isEqualTo(step % 3 == 0);
                checkpoints.beforeUpdate();
                state.makeStep();
                checkpoints.afterStep(step, state, step == 4);
            }
            checkpoints.awaitSave();
            assertThat(checkpoints.count()).isEqualTo(1);
            assertThat(checkpoints.newestRecord().map(Checkpoint::step)).contains(4L);
        }
        var restored = new CountingState();
        try (Checkpoints checkpoints =
                Checkpoints.open(run, CheckpointOptions.defaults().withoutLog())) {
            assertThat(checkpoints.resume(restored)).isEqualTo(4);
            assertThat(restored.isAt(4)).isTrue();
        }
    }
}
