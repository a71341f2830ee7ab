package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Damage;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A checkpoint that a start skips stays until a second check finds it damaged again, whichever process prunes, and
/// however late.
class PassedOverTest {
    private static final List<Long> PASSED_OVER = List.of(8L, 9L, 10L);

    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new ArrayList<>();

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }

    private Checkpoints open(String codec, String keep) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Codec.parse(codec))
                        .withRetention(Retention.parse(keep))
                        .withoutLog()
                        .withListener(events::add));
    }

    /// Restores the newest checkpoint, and saves this many steps.
    private void train(String codec, String keep, int steps) throws IOException {
        train(codec, keep, steps, List.of());
    }

    /// @param mended the checkpoints that can be read again once a checkpoint is restored
    private void train(String codec, String keep, int steps, List<Commit> mended) throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = open(codec, keep)) {
            checkpoints.restoreLatest(state);
            flip(mended);
            for (int i = 0; i < steps; i++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitHousekeeping();
            }
        }
    }

    private List<Commit> checkpoints() throws IOException {
        var found = new ArrayList<Commit>();
        for (Entry entry : store().currentEntries()) {
            found.add(((Entry.Intact) entry).checkpoint());
        }
        return found;
    }

    private List<Commit> lastOnes() throws IOException {
        return checkpoints().stream()
                .filter(checkpoint -> PASSED_OVER.contains(checkpoint.step()))
                .toList();
    }

    /// Flips a bit in the middle of the files of these checkpoints. A second call undoes it.
    private void flip(List<Commit> damaged) throws IOException {
        for (Commit checkpoint : damaged) {
            Path file = run.resolve(checkpoint.segments().getFirst().name());
            Damage.inTheMiddle(file);
        }
    }

    /// Damages the last checkpoints, so that a start skips them.
    private List<Commit> damage(String codec) throws IOException {
        train(codec, "all", 10);
        List<Commit> last = lastOnes();
        assertThat(last).hasSize(PASSED_OVER.size());
        flip(last);
        return last;
    }

    private void assertPassedOver() {
        assertThat(events)
                .filteredOn(CheckpointEvent.PassedOver.class::isInstance)
                .hasSize(PASSED_OVER.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "lossless"})
    void whatReadsAgainLaterIsThereStill(String codec) throws IOException {
        List<Commit> damaged = damage(codec);
        List<String> ids = damaged.stream().map(Commit::id).toList();
        train(codec, "latest:2", 1, damaged);
        assertPassedOver();
        for (int life = 0; life < 3; life++) {
            train(codec, "latest:2", 9);
        }
        assertThat(checkpoints()).extracting(Commit::id).containsAll(ids);
        assertThat(StoreVerifier.verify(store(), Depth.FULL, _ -> {}).damaged()).isEmpty();
        PrunePlan plan = PrunePlan.of(
                store().history(),
                Retention.parse("latest:1"),
                Instant.now(),
                StoreVerifier.soundness(store(), Depth.CHECKSUMS));
        assertThat(plan.removed()).extracting(Commit::id).doesNotContainAnyElementsOf(ids);
    }

    @Test
    void whatIsDamagedStillAtTheSecondLookGoes() throws IOException {
        List<String> ids = damage("full").stream().map(Commit::id).toList();
        train("full", "latest:2", 9);
        assertPassedOver();
        assertThat(checkpoints()).extracting(Commit::id).doesNotContainAnyElementsOf(ids);
        assertThat(checkpoints()).hasSizeLessThan(8);
    }

    @Test
    void itTakesNoPlaceOfAGoodOne() throws IOException {
        damage("full");
        train("full", "latest:2", 1);
        assertPassedOver();
        assertThat(checkpoints())
                .as("the last good one, which a base does not need")
                .extracting(Commit::step)
                .contains(7L);
        train("full", "latest:2", 1);
        assertThat(checkpoints().getLast().step()).isEqualTo(9);
    }
}
