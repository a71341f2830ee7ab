package dev.cairn.bench.checkpoint;

import dev.cairn.bench.Medians;
import dev.cairn.bench.MlpRun;
import dev.cairn.bench.Row;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.retention.Retention;
import dev.cairn.train.data.ImageSet;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Measures how long the training thread waits while a state of 256 MB is captured, in units of one `memcpy` of the
/// state on one thread. Either it waits for the whole capture, or the capture overlaps a forward and backward pass of
/// an MLP of 6 M parameters on all cores. Nothing is saved during a measurement. The three measurements alternate.
public final class StallBench {
    private static final List<Integer> WIDTHS = List.of(784, 2048, 2048, 10);
    private static final int REPETITIONS = 15;
    private static final int WARM_UP = 3;

    private StallBench() {}

    /// The rows `stall.copy` and `stall.overlap`.
    ///
    /// @param folder where the benchmark may write
    /// @param threads of the training
    public static List<Row> rows(ImageSet data, Path folder, int threads) throws IOException {
        double[] memcpy = new double[REPETITIONS];
        double[] blocking = new double[REPETITIONS];
        double[] overlapped = new double[REPETITIONS];
        var options = CheckpointOptions.defaults()
                .withCodec(new Codec.Lossless())
                .withLongestChain(1000)
                .withRetention(Retention.parse("all"))
                .withPolicy(new SavePolicy.EverySteps(1))
                .withoutLog();
        try (var state = new AdamState();
                var mlp = new MlpRun(data, WIDTHS, MlpRun.Optimizer.ADAM, 1, threads);
                Arena arena = Arena.ofShared();
                var checkpoints = Checkpoints.open(Files.createTempDirectory(folder, "stall-"), options)) {
            MemorySegment from = arena.allocate(AdamState.BYTES, 64).fill((byte) 1);
            MemorySegment to = arena.allocate(AdamState.BYTES, 64);
            for (int i = -WARM_UP; i < REPETITIONS; i++) {
                int at = Math.max(i, 0);
                long start = System.nanoTime();
                to.copyFrom(from);
                memcpy[at] = System.nanoTime() - start;
                blocking[at] = blocking(checkpoints, state);
                overlapped[at] = overlapped(checkpoints, state, mlp);
            }
        }
        double unit = Medians.of(memcpy).median();
        return List.of(
                Row.atMost("stall.copy", Medians.of(blocking).median() / unit, "memcpy", 1.5, 1.1),
                Row.atMost("stall.overlap", Medians.of(overlapped).median() / unit, "memcpy", 0.4, 0.1));
    }

    private static double blocking(Checkpoints checkpoints, AdamState state) throws IOException {
        long start = System.nanoTime();
        checkpoints.afterStep(1, state);
        double nanos = System.nanoTime() - start;
        checkpoints.awaitSave();
        return nanos;
    }

    private static double overlapped(Checkpoints checkpoints, AdamState state, MlpRun mlp) throws IOException {
        checkpoints.beforeUpdate();
        long start = System.nanoTime();
        checkpoints.afterStep(1, state);
        double[] nanos = {System.nanoTime() - start};
        mlp.makeStep(() -> {
            long waiting = System.nanoTime();
            checkpoints.beforeUpdate();
            nanos[0] += System.nanoTime() - waiting;
        });
        checkpoints.awaitSave();
        // The next capture is to be a blocking one: its update is not announced.
        checkpoints.afterStep(1, state);
        checkpoints.awaitSave();
        return nanos[0];
    }
}
