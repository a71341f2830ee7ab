package dev.cairn.checkpoint.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorModule;
import dev.cairn.codec.VectorWarmUp;
import dev.cairn.store.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run warms the loops of its codec up before its first save.
class EarlyWarmUpTest {
    private static final Duration LONG = Duration.ofMinutes(4);

    /// Less than a warm-up has patience with one loop.
    private static final Duration SOON = Duration.ofSeconds(20);

    /// The property by which other tests run vector code at once, which this one is about not doing.
    private static final String AT_ONCE = "cairn.vector";

    @TempDir
    Path run;

    private final String before = System.getProperty(AT_ONCE, "");
    private final List<VectorLoop> loops = EncodingLoops.of(new Codec.Lossless());

    @BeforeEach
    void beCold() {
        assumeTrue(VectorModule.isPresent(), "needs the vector module");
        assumeTrue(count() == loops.size(), "needs vectors that are wide enough");
        System.setProperty(AT_ONCE, "");
    }

    @AfterEach
    void beAsBefore() {
        VectorWarmUp.stop();
        System.setProperty(AT_ONCE, before);
    }

    /// How many are hot.
    private long count() {
        return loops.stream().filter(loop -> loop.isHot(0)).count();
    }

    private static boolean isUnderWay() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("cairn-warm-up"));
    }

    private static TrainingState state(int megabytes) {
        var weights = new float[megabytes << 18];
        return TrainingState.of(LiveTensor.of("w", Role.WEIGHT, weights, weights.length));
    }

    private Checkpoints open() throws IOException {
        return Checkpoints.open(run, CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(1000)));
    }

    /// One test, in this order: what is hot stays so for as long as the process lives.
    @Test
    void aLargeStateHasItsLoopsHotBeforeItIsEverSaved() throws Exception {
        try (Checkpoints checkpoints = open()) {
            checkpoints.restoreLatest(state(15));
            checkpoints.afterStep(1, state(15));
            assertThat(isUnderWay()).as("for a small state").isFalse();
        }
        assertThat(count()).isZero();
        long end = System.nanoTime() + LONG.toNanos();
        // On a busy machine a warm-up may give up; the next run begins another.
        while (count() < loops.size() && System.nanoTime() < end) {
            try (Checkpoints checkpoints = open()) {
                checkpoints.restoreLatest(state(16));
                assertThat(VectorWarmUp.await(LONG)).isTrue();
                assertThat(checkpoints.statistics().committed()).isZero();
            }
        }
        assertThat(count()).isEqualTo(loops.size());
    }

    @Test
    void whoClosesTheRunEndsIt() throws Exception {
        var never = new VectorLoop(
                "test", () -> true, () -> new VectorLoop.Trial(() -> LockSupport.parkNanos(1_000_000), () -> {}));
        try (Checkpoints checkpoints = open()) {
            checkpoints.restoreLatest(state(1));
            VectorWarmUp.begin(List.of(never));
            assertThat(isUnderWay()).isTrue();
        }
        assertThat(VectorWarmUp.await(SOON)).isTrue();
    }
}
