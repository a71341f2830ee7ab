package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.scrub.ScrubReport;
import dev.cairn.testkit.DamagedRegion;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that rot while a training goes on are healed in their places.
class ScrubbedRunTest {
    private static final Scrubbing OFTEN = new Scrubbing.Every(Duration.ofMillis(50), 200_000_000);
    private static final int STATE = 400_000;
    private static final int STEPS_BETWEEN_SAVES = 200;

    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    private final RandomState state = new RandomState(STATE);

    private CheckpointOptions options(Scrubbing scrubbing) {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withRetention(Retention.parse("all"))
                .withScrubbing(scrubbing)
                .withoutLog()
                .withListener(events::add);
    }

    private void train(Checkpoints checkpoints, long from, long to) throws IOException {
        for (long step = from; step <= to; step++) {
            state.makeStep();
            assertThat(checkpoints.saveNow(step, state).isSaved()).isTrue();
        }
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }

    /// The file of the first checkpoint.
    private Path base() throws IOException {
        Commit first = store().history().currentCheckpoints().getFirst();
        return run.resolve(first.segmentNames().getFirst());
    }

    private boolean isRewritten(Path file) {
        return events.stream()
                .anyMatch(event -> event instanceof CheckpointEvent.Rewritten rewritten
                        && rewritten.damage().file().equals(run.relativize(file).toString()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void anOldFileHealsWhileTheTrainingGoesOn(long seed) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(run, options(OFTEN))) {
            checkpoints.resume(state);
            train(checkpoints, 1, 3);
            byte[] original = Files.readAllBytes(base());
            DamagedRegion.random(base(), 4096, new Random(seed)).damage();
            Path base = base();
            var step = new AtomicLong(3);
            Eventually.holds("the file was rewritten", () -> {
                train(checkpoints, step.incrementAndGet(), step.get());
                for (int i = 0; i < STEPS_BETWEEN_SAVES; i++) {
                    state.makeStep(); // Files are read between saves.
                }
                return isRewritten(base);
            });
            assertThat(Files.readAllBytes(base())).isEqualTo(original);
            train(checkpoints, step.get() + 1, step.get() + 2);
            checkpoints.awaitHousekeeping();
            Eventually.holds("one rewrite and no lasting damage are noted", () -> {
                ScrubReport report = ScrubReport.of(store(), store().history());
                return report.rewritten() == 1 && report.damaged().isEmpty();
            });
        }
        assertThat(StoreVerifier.damage(store(), store().history()).healable()).isEmpty();
        assertThat(events)
                .noneMatch(event -> event instanceof CheckpointEvent.ScrubFailed
                        || event instanceof CheckpointEvent.DamageFound
                        || event instanceof CheckpointEvent.SaveFailed);
        assertThat(store().foreignFiles()).isEmpty();
    }

    @Test
    void aFileThatARestoreHealedIsRewritten() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(run, options(new Scrubbing.Usual()))) {
            checkpoints.resume(state);
            train(checkpoints, 1, 2);
        }
        byte[] original = Files.readAllBytes(base());
        byte[] damaged = original.clone();
        damaged[1000] ^= 1;
        Files.write(base(), damaged);
        try (Checkpoints checkpoints = Checkpoints.open(run, options(new Scrubbing.Usual()))) {
            assertThat(checkpoints.resume(state)).isEqualTo(2);
            assertThat(events).anyMatch(CheckpointEvent.Healed.class::isInstance);
            Eventually.holds("the file was rewritten", () -> isRewritten(base()));
            assertThat(Files.readAllBytes(base())).isEqualTo(original);
        }
    }

    /// A damaged parent that does not heal: the next save does not build on it.
    @Test
    void nothingIsBuiltOnWhatDoesNotHeal() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(run, options(OFTEN))) {
            checkpoints.resume(state);
            train(checkpoints, 1, 2);
            assertThat(store().history().currentCheckpoints().getLast().kind()).isEqualTo("delta");
            Files.write(base(), new byte[10]);
            Eventually.holds(
                    "the damage was found",
                    () -> events.stream().anyMatch(CheckpointEvent.ChainInDoubt.class::isInstance));
            train(checkpoints, 3, 3);
            assertThat(store().history().currentCheckpoints().getLast().kind()).isEqualTo("base");
        }
        assertThat(events)
                .filteredOn(CheckpointEvent.DamageFound.class::isInstance)
                .hasSize(1);
    }

    /// At a byte a second, the check of one file would take days. Closing does not wait for a thread that hangs, so the
    /// time of closing would prove nothing.
    @Test
    void closingEndsAScrub() throws Exception {
        var slow = new Scrubbing.Every(Duration.ofMillis(10), 1);
        Checkpoints checkpoints = Checkpoints.open(run, options(slow));
        checkpoints.resume(state);
        train(checkpoints, 1, 2);
        Thread scrubbing = Eventually.get(
                "it checks a file",
                () -> Thread.getAllStackTraces().entrySet().stream()
                        .filter(thread -> thread.getKey().getName().equals("cairn-scrub")
                                && List.of(thread.getValue()).toString().contains("ScrubPace"))
                        .map(Map.Entry::getKey)
                        .findFirst());
        checkpoints.close();
        assertThat(scrubbing.join(Duration.ofMinutes(1)))
                .as("the thread has ended")
                .isTrue();
    }
}
