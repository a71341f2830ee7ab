package dev.cairn.checkpoint.save;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.checkpoint.WatchedBlobStore;
import dev.cairn.store.ManualClock;
import dev.cairn.store.Role;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.right.WriterRight;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaitBudgetTest {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    @TempDir
    Path run;

    @Test
    void isSpentAndEarnedAgain() {
        long now = Duration.ofDays(3).toNanos();
        var budget = new WaitBudget(now);
        for (int i = 0; i < 4; i++) {
            assertThat(budget.least(PATIENCE, now)).isEqualTo(PATIENCE);
            budget.spend(PATIENCE);
        }
        assertThat(budget.least(PATIENCE, now)).isZero();
        now += Duration.ofSeconds(4).toNanos();
        assertThat(budget.least(PATIENCE, now)).isEqualTo(Duration.ofMillis(200));
        budget.spend(Duration.ofMillis(300)); // whoever waits may be woken late
        assertThat(budget.least(PATIENCE, now)).isZero();
        now += Duration.ofHours(10).toNanos();
        assertThat(budget.least(Duration.ofMinutes(1), now))
                .as("no more is saved up")
                .isEqualTo(WaitBudget.MOST);
    }

    @Test
    void whoHasNoPatienceWaitsForNothing() {
        var budget = new WaitBudget(0);
        assertThat(budget.least(Duration.ZERO, Duration.ofHours(1).toNanos())).isZero();
    }

    /// A thousand floats, saved after steps that take a millisecond, on a disk on which a save takes a hundred.
    @Test
    void frequentSmallSavesDoNotBringATrainingDownToTheSpeedOfItsDisk() throws IOException {
        var time = new ManualClock();
        var disk = new WatchedBlobStore(new LocalBlobStore(run), operation -> {
            if (operation.startsWith("create ")) {
                time.advance(Duration.ofMillis(100));
            }
        });
        var events = new CopyOnWriteArrayList<CheckpointEvent>();
        CheckpointOptions options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withTime(time)
                .withoutLog()
                .withListener(events::add);
        TrainingState state = TrainingState.of(LiveTensor.of("w", Role.WEIGHT, new float[1000]));
        LocalBlobStore.createFolder(run);
        SaveStatistics saves;
        long start = time.nanos();
        try (Checkpoints checkpoints = Checkpoints.open(
                disk, WriterRight.take(run, options.environment().claim()), options)) {
            for (int step = 1; step <= 300; step++) {
                time.advance(Duration.ofMillis(1));
                checkpoints.afterStep(step, state);
            }
            saves = checkpoints.statistics();
        }
        double took = (time.nanos() - start) / 1e9;
        double bound = WaitBudget.MOST.toNanos() / 1e9 + WaitBudget.SHARE * took;
        assertThat(saves.stall().toNanos() / 1e9).as("of %s s", took).isLessThan(bound + PATIENCE.toNanos() / 1e9);
        assertThat(saves.skipped()).isPositive();
        List<Integer> told = new ArrayList<>();
        for (CheckpointEvent event : events) {
            if (event instanceof CheckpointEvent.SaveSkipped skipped && skipped.isWorthTelling()) {
                told.add(skipped.soFar());
            }
        }
        assertThat(told).startsWith(1).hasSizeLessThan(10);
    }
}
