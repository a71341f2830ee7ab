package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.plan.auto.AutomaticInterval.Settings;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.store.Role;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BestSavesTest {
    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();

    private record Scored(LiveTensor weights, double accuracy) implements TrainingState {
        static Scored at(double accuracy) {
            return new Scored(
                    LiveTensor.of(
                            "w",
                            Role.WEIGHT,
                            ElementType.FLOAT32,
                            Arena.ofAuto().allocate(400),
                            100),
                    accuracy);
        }

        @Override
        public List<LiveTensor> tensors() {
            return List.of(weights);
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty().with("accuracy", accuracy);
        }

        @Override
        public void restored(long step, Attributes attributes) {}
    }

    /// A clock that advances by `tick` each time it is read: by nothing, unless a test is about time.
    private record Ticks(AtomicLong passed, long tick) implements Clock {
        static Ticks ticking(long tick) {
            return new Ticks(new AtomicLong(), tick);
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            return passed.getAndAdd(tick);
        }
    }

    private CheckpointOptions options(String keep) {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1000))
                .withRetention(Retention.parse(keep))
                .withTime(Ticks.ticking(0))
                .withoutLog()
                .withListener(events::add);
    }

    /// Scores these accuracies at steps 10, 20, … and returns the steps that the run then has.
    private List<Long> score(CheckpointOptions options, long firstStep, double... accuracies) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.restoreLatest(Scored.at(0));
            long step = firstStep;
            for (double accuracy : accuracies) {
                checkpoints.afterScore(step, Scored.at(accuracy));
                checkpoints.awaitSave();
                step += 10;
            }
        }
        return saved();
    }

    private List<Long> saved() {
        return events.stream()
                .filter(CheckpointEvent.Committed.class::isInstance)
                .map(event -> ((CheckpointEvent.Committed) event).checkpoint().step())
                .toList();
    }

    @Test
    void aStepThatScoresBetterThanAllSavedIsSaved() throws IOException {
        assertThat(score(options("latest:5,best:1"), 10, 0.5, 0.4, 0.6, 0.6, 0.7))
                .containsExactly(10L, 30L, 50L);
    }

    @Test
    void soManyOfTheBestAreSavedAsAreKept() throws IOException {
        assertThat(score(options("best:2"), 10, 0.5, 0.4, 0.3, 0.45)).containsExactly(10L, 20L, 40L);
    }

    @Test
    void whatTheRunHasCountsAfterANewStart() throws IOException {
        score(options("latest:5,best:1"), 10, 0.5);
        assertThat(score(options("latest:5,best:1"), 20, 0.4, 0.6)).containsExactly(10L, 30L);
    }

    @Test
    void nothingMoreIsSavedWhereNobodyKeepsTheBest() throws IOException {
        assertThat(score(options("latest:5"), 10, 0.5, 0.6)).isEmpty();
    }

    @Test
    void withoutTimeForItTheBestIsNotSavedAndThatIsToldOnce() throws IOException {
        CheckpointOptions options = options("best:1")
                .withTime(Ticks.ticking(1_000_000))
                .withPolicy(new SavePolicy.Automatic(Settings.USUAL.withBudget(1e-12)));
        assertThat(score(options, 10, 0.5, 0.6, 0.7)).hasSizeLessThan(2);
        assertThat(events.stream().filter(CheckpointEvent.BestNotSaved.class::isInstance))
                .hasSize(1);
    }
}
