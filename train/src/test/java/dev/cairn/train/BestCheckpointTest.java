package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.store.ManualClock;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BestCheckpointTest {
    @TempDir
    Path folder;

    /// Saves take no time within a very long run: there is always time for more saves, even on a slow machine.
    private final ManualClock clock = new ManualClock();

    private TrainingResult train(String keep) throws IOException {
        var request = TrainingRequest.of("lr")
                .with("steps", 300L)
                .with("evaluateEvery", 10L)
                .with("threads", 1);
        return new TestTraining(request)
                .with(CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1000))
                        .withRetention(Retention.parse(keep))
                        .withTime(clock)
                        .withoutLog())
                .with(Notices.none(), this::letTimePass)
                .run(folder);
    }

    /// Once: a save beside several of these would seem to take days.
    private void letTimePass(long step) {
        if (step == 1) {
            clock.advance(Duration.ofDays(1000));
        }
    }

    private List<Long> steps() throws IOException {
        return new CheckpointStore(new LocalBlobStore(folder))
                .history().currentCheckpoints().stream().map(Commit::step).toList();
    }

    @Test
    void theStepThatScoredBestIsKept() throws IOException {
        TrainingResult result = train("latest:1,best:1");
        assertThat(result.bestStep()).as("not a step that is saved in any case").isLessThan(300);
        assertThat(steps()).contains(result.bestStep());
    }

    @Test
    void whoDoesNotAskForTheBestGetsNoMoreSaves() throws IOException {
        train("all");
        assertThat(steps()).containsExactly(300L);
    }
}
