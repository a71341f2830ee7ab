package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Role;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Momentum and Adam's m: `lossy` drops them, `+m` keeps them.
class FirstMomentsTest {
    private static final int ROWS = 200;

    @TempDir
    Path folder;

    private static CheckpointOptions options(String codec) {
        return CheckpointOptions.defaults()
                .withCodec(Codec.parse(codec))
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(3)
                .withRetention(Retention.parse("all"));
    }

    /// Saves some steps, and returns the state of the last save.
    private WalkingState save(String codec, int saves) throws IOException {
        var state = new WalkingState(ROWS);
        try (var checkpoints = Checkpoints.open(folder, options(codec))) {
            for (int i = 0; i < saves; i++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitHousekeeping();
            }
            assertThat(checkpoints.statistics().failed()).isZero();
        }
        return state;
    }

    private Checkpoint restore(String codec, WalkingState into) throws IOException {
        try (var checkpoints = Checkpoints.open(folder, options(codec))) {
            return checkpoints.restoreLatest(into).orElseThrow();
        }
    }

    @Test
    void lossyDropsThem() throws IOException {
        WalkingState saved = save("lossy", 2);
        var restored = new WalkingState(ROWS);
        restore("lossy", restored);
        assertThat(distance(saved, restored)).as("zeros").isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"lossy+m, 0.5", "uq:0.5+m:0.25, 0.25", "lc:3+m:0.2, 0.2", "rel:0.01+m:1, 1"})
    void plusMKeepsThemWithinTheirError(String codec, double target) throws IOException {
        WalkingState saved = save(codec, 12);
        var restored = new WalkingState(ROWS);
        Checkpoint checkpoint = restore(codec, restored);
        assertThat(distance(saved, restored)).isBetween(0.3 * target, 1.1 * target);
        assertThat(checkpoint.codec()).isEqualTo(Codec.parse(codec).text());
        try (var checkpoints = Checkpoints.open(folder, options(codec))) {
            var again = new WalkingState(ROWS);
            checkpoints.restoreLatest(again);
            assertThat(again.digest()).as("merged or not").isEqualTo(restored.digest());
        }
    }

    @Test
    void aTargetThatNoSettingReachesKeepsThemExactly() throws IOException {
        WalkingState saved = save("lossy+m:0.01", 3);
        var restored = new WalkingState(ROWS);
        restore("lossy+m:0.01", restored);
        assertThat(distance(saved, restored)).isZero();
    }

    /// The distance of the first moments, relative to the saved ones.
    private static double distance(WalkingState saved, WalkingState restored) {
        MemorySegment wanted = firstMoment(saved);
        MemorySegment got = firstMoment(restored);
        double squares = 0;
        double all = 0;
        for (long i = 0; i < wanted.byteSize() / Float.BYTES; i++) {
            double value = wanted.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            double error = value - got.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            squares += error * error;
            all += value * value;
        }
        return Math.sqrt(squares / all);
    }

    private static MemorySegment firstMoment(WalkingState state) {
        return state.tensors().stream()
                .filter(tensor -> tensor.spec().role() == Role.FIRST_MOMENT)
                .findFirst()
                .orElseThrow()
                .memory();
    }
}
