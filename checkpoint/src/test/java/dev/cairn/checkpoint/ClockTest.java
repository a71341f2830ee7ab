package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.SavePolicy.EverySteps;
import dev.cairn.store.ManualClock;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockTest {
    @TempDir
    Path run;

    @Test
    void aClockThatGoesBackwardsFromLifeToLifeChangesNothing() throws IOException {
        var time = new ManualClock();
        var options = CheckpointOptions.defaults()
                .withPolicy(new EverySteps(1))
                .withLongestChain(3)
                .withTime(time)
                .withoutLog();
        for (int life = 0; life < 5; life++) {
            var state = new CountingState();
            try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
                assertThat(checkpoints
                                .restoreLatest(state)
                                .map(Checkpoint::step)
                                .orElse(0L))
                        .isEqualTo(2L * life);
                for (int save = 0; save < 2; save++) {
                    time.setTimeOfDay(time.now().minus(Duration.ofDays(400)));
                    state.makeStep();
                    checkpoints.afterStep(state.step, state);
                    checkpoints.awaitSave();
                }
            }
        }
        assertThat(time.now()).isBefore(Instant.parse("2016-01-01T00:00:00Z"));
        var store = new CheckpointStore(new LocalBlobStore(run));
        var report = StoreVerifier.verify(store, StoreVerifier.Depth.FULL, checkpoint -> {});
        assertThat(report.damaged()).isEmpty();
        assertThat(report.checkpoints()).isEqualTo(10);
    }
}
