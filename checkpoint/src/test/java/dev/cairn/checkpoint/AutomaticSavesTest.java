package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.save.SaveHistory;
import dev.cairn.plan.auto.AutomaticInterval.Settings;
import dev.cairn.plan.auto.Decision;
import dev.cairn.store.Attributes;
import dev.cairn.store.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run that finds its interval by itself, on a clock that only steps move. Saves take no time on that clock, so
/// they are due as often as possible, unless a test makes them expensive.
class AutomaticSavesTest {
    private static final Duration STEP = Duration.ofSeconds(1);

    @TempDir
    Path run;

    private final ManualClock time = new ManualClock();
    private final List<Checkpoint> saved = new ArrayList<>();
    private Duration left = Duration.ofDays(100);

    private CheckpointOptions options(SavePolicy policy) {
        return CheckpointOptions.defaults()
                .withPolicy(policy)
                .withTime(time)
                .withTimeLeft(() -> left)
                .withoutLog()
                .withListener(event -> {
                    if (event instanceof CheckpointEvent.Committed committed) {
                        saved.add(committed.checkpoint());
                    }
                });
    }

    private void train(Checkpoints checkpoints, CountingState state, int steps) throws IOException {
        for (int step = 0; step < steps; step++) {
            state.makeStep();
            time.advance(STEP);
            checkpoints.afterStep(state.step, state);
            checkpoints.awaitSave();
        }
    }

    private static SaveHistory history(Checkpoint checkpoint) {
        return SaveHistory.read(checkpoint.attributes()).orElseThrow();
    }

    @Test
    void theFirstSaveComesSoonAndTellsWhatSavesCost() throws IOException {
        try (var checkpoints = Checkpoints.open(run, options(SavePolicy.automatic()))) {
            train(checkpoints, new CountingState(), 30);
        }
        assertThat(saved.getFirst().step()).isEqualTo(10);
        assertThat(history(saved.getFirst()).decision().limit()).isEqualTo(Decision.Limit.UNKNOWN);
        assertThat(history(saved.get(1)).decision().overhead()).isZero();
        assertThat(history(saved.get(1)).decision().change()).isEqualTo(Decision.Change.FIRST);
        assertThat(saved.get(1).step())
                .as("a save that costs nothing is made after every step")
                .isEqualTo(11);
    }

    @Test
    void aFailureIsRememberedAndALastSaveIsNone() throws IOException {
        var state = new CountingState();
        try (var checkpoints = Checkpoints.open(run, options(SavePolicy.automatic()))) {
            train(checkpoints, state, 20);
        }
        // The loop ended without a last save: this counts as a failure.
        try (var checkpoints = Checkpoints.open(run, options(SavePolicy.automatic()))) {
            checkpoints.restoreLatest(state);
            train(checkpoints, state, 5);
            SaveHistory seen = history(saved.getLast());
            assertThat(seen.failures().failures()).isEqualTo(1);
            assertThat(seen.failures().uptime()).isBetween(20.0, 30.0);
            checkpoints.saveNow(state.step, state);
            assertThat(history(saved.getLast()).last()).isTrue();
        }
        try (var checkpoints = Checkpoints.open(run, options(SavePolicy.automatic()))) {
            checkpoints.restoreLatest(state);
            train(checkpoints, state, 5);
            assertThat(history(saved.getLast()).failures().failures()).isEqualTo(1);
        }
    }

    @Test
    void aBudgetHoldsSavesBack() throws IOException {
        var policy = new SavePolicy.Automatic(Settings.USUAL.withBudget(0.01).withPriorMean(600));
        try (var checkpoints = Checkpoints.open(run, options(policy).withCapture(CaptureMode.COPY))) {
            var state = new CountingState() {
                @Override
                public List<LiveTensor> tensors() {
                    time.advance(Duration.ofMillis(500)); // A capture that takes its time.
                    return super.tensors();
                }
            };
            train(checkpoints, state, 200);
        }
        assertThat(saved.get(2).step() - saved.get(1).step()).isBetween(45L, 60L);
        assertThat(history(saved.get(2)).decision().limit()).isEqualTo(Decision.Limit.BUDGET);
    }

    @Test
    void nothingBeginsShortlyBeforeADeadline() throws IOException {
        try (var checkpoints = Checkpoints.open(run, options(SavePolicy.automatic()))) {
            var state = new CountingState();
            train(checkpoints, state, 12);
            int before = saved.size();
            left = Duration.ZERO;
            train(checkpoints, state, 12);
            assertThat(saved).hasSize(before);
        }
    }

    @Test
    void aHistoryThatIsIncompleteOrImpossibleIsNone() {
        Attributes whole = Attributes.empty()
                .with("cairn.failures", 0L)
                .with("cairn.uptimeSeconds", 1.0)
                .with("cairn.intervalSeconds", 3.0)
                .with("cairn.failureMeanSeconds", 3.0)
                .with("cairn.intervalLimit", "none")
                .with("cairn.intervalChange", "cost")
                .with("cairn.intervalFollowed", true)
                .with("cairn.last", false);
        assertThat(SaveHistory.read(whole)).isPresent();
        assertThat(SaveHistory.read(whole.with("cairn.uptimeSeconds", -1.0))).isEmpty();
        for (String name : whole.asMap().keySet()) {
            Map<String, @Nullable Object> others = new TreeMap<>(whole.asMap());
            others.remove(name);
            assertThat(SaveHistory.read(Attributes.of(others))).as(name).isEmpty();
        }
    }
}
