package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.ManualClock;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Chains of deltas in which the rows of a matrix have patterns.
class PatternedDeltasTest {
    private static final int ROWS = 300;
    private static final float COMMON = 0.1f;
    private static final int SAVES = 9;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.74})
    void haveTheErrorThatWasAskedFor(double target) throws IOException {
        save(folder, "uq:" + target, COMMON);
        for (Commit delta : deltas(folder)) {
            double error = delta.attributes().number("cairn.errorOfChange").orElseThrow();
            assertThat(error).as("step %d", delta.step()).isBetween(0.85 * target, 1.08 * target);
        }
    }

    @Test
    void takeFewerBytes() throws IOException {
        Path common = folder.resolve("common");
        Path apart = folder.resolve("apart");
        save(common, "uq:0.5", COMMON);
        save(apart, "uq:0.5", 0);
        assertThat(weightBytes(common)).isLessThan(weightBytes(apart) * 8 / 10);
    }

    @Test
    void verifyWithTheMergedCheckpointsAmongThem() throws IOException {
        save(folder, "uq:0.5", COMMON);
        var store = new CheckpointStore(new LocalBlobStore(folder));
        assertThat(store.history().currentCheckpoints().stream().map(Commit::kind))
                .contains("base", "delta", "merged");
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                        .ok())
                .isTrue();
    }

    private static CheckpointOptions options(String codec) {
        return CheckpointOptions.defaults()
                .withCodec(Codec.parse(codec))
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(4)
                .withRetention(Retention.parse("all"))
                .withoutLog();
    }

    private static void save(Path run, String codec, float common) throws IOException {
        var state = new WalkingState(ROWS, common);
        var clock = new ManualClock();
        try (var checkpoints = Checkpoints.open(run, options(codec).withTime(clock))) {
            for (int i = 0; i < SAVES; i++) {
                clock.advance(Duration.ofHours(1)); // frequent saves would do without patterns
                for (int step = 0; step < 5; step++) {
                    state.makeStep();
                }
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitSave();
            }
            checkpoints.awaitHousekeeping();
            assertThat(checkpoints.statistics().failed()).isZero();
        }
    }

    private static List<Commit> deltas(Path run) throws IOException {
        return new CheckpointStore(new LocalBlobStore(run))
                .history().currentCheckpoints().stream()
                        .filter(checkpoint -> checkpoint.kind().equals("delta"))
                        .toList();
    }

    private static long weightBytes(Path run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        long bytes = 0;
        for (Commit delta : deltas(run)) {
            bytes += store.manifest(delta).tensors().stream()
                    .filter(tensor -> tensor.spec().name().equals("weight"))
                    .mapToLong(TensorRef::storedBytes)
                    .sum();
        }
        return bytes;
    }
}
