package dev.cairn.checkpoint.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.WalkingState;
import dev.cairn.store.Clock;
import dev.cairn.store.ManualClock;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A run holds little more than what was asked for, although deltas need their parents.
class FewParentsTest {
    @TempDir
    Path run;

    private Checkpoints open(String codec, String keep) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Codec.parse(codec))
                        .withRetention(Retention.parse(keep))
                        .withTime(new ManualClock()) // merges take no time
                        .withoutLog());
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }

    private static void save(Checkpoints checkpoints, WalkingState state) throws IOException {
        state.makeStep();
        checkpoints.afterStep(state.step, state);
        checkpoints.awaitHousekeeping();
    }

    @ParameterizedTest
    @CsvSource({
        // the maximum at any time: n kept, n - 1 parents, and 3 that are collected for a record
        "lossless, latest:5, 12, 6",
        "lossy, latest:5, 12, 6",
        "lossless, latest:1, 8, 2",
        "lossless, latest:12, 24, 13",
    })
    void fewStayForTheSakeOfOthers(String codec, String keep, int most, int atTheEnd) throws IOException {
        var state = new WalkingState();
        try (Checkpoints checkpoints = open(codec, keep)) {
            for (int i = 0; i < 45; i++) {
                save(checkpoints, state);
                assertThat(checkpoints.count()).as("step %d", state.step).isLessThanOrEqualTo(most);
            }
            checkpoints.tidy(() -> false);
            assertThat(checkpoints.count()).isLessThanOrEqualTo(atTheEnd);
        }
        assertThat(StoreVerifier.verify(store(), StoreVerifier.Depth.FULL, _ -> {})
                        .ok())
                .isTrue();
    }

    @Test
    void oldOnesThatAreWantedDoNotKeepWholeChains() throws IOException {
        var state = new WalkingState();
        try (Checkpoints checkpoints = open("lossless", "latest:2,every:7")) {
            for (int i = 0; i < 70; i++) {
                save(checkpoints, state);
            }
            checkpoints.tidy(() -> false);
        }
        List<Long> steps = store().history().currentCheckpoints().stream()
                .map(Commit::step)
                .toList();
        assertThat(steps).contains(7L, 14L, 21L, 63L, 70L, 69L).hasSizeLessThanOrEqualTo(11 + 6);
    }

    @Test
    void mergesTakeATenthOfTheTimeAtMost() throws IOException {
        var state = new WalkingState();
        try (Checkpoints checkpoints = open("lossless", "all")) {
            for (int i = 0; i < 30; i++) {
                save(checkpoints, state);
            }
        }
        var nanos = new AtomicLong();
        Clock clock = new Clock() {
            @Override
            public Instant now() {
                return Instant.EPOCH;
            }

            @Override
            public long nanos() {
                return nanos.addAndGet(Duration.ofMinutes(1).toNanos()); // which a merge takes
            }
        };
        var options = CheckpointOptions.defaults()
                .withRetention(Retention.parse("every:7"))
                .withTime(clock);
        var merges = new ParentMerges(store(), new Merger(store(), CheckpointWriter.open(store(), () -> {})), options);
        assertThat(merges.whereCrowded()).isPresent();
        assertThat(merges.whereCrowded()).isEmpty();
        nanos.addAndGet(Duration.ofMinutes(10).toNanos());
        assertThat(merges.whereCrowded()).isPresent();
    }

    @Test
    void whoeverIsInAHurryIsNotHeldUp() throws IOException {
        var state = new WalkingState();
        try (Checkpoints checkpoints = open("lossless", "latest:5")) {
            for (int i = 0; i < 8; i++) {
                save(checkpoints, state);
            }
            int before = checkpoints.count();
            checkpoints.tidy(() -> true);
            assertThat(checkpoints.count()).isEqualTo(before);
        }
    }
}
