package dev.cairn.bench.checkpoint;

import dev.cairn.bench.Medians;
import dev.cairn.bench.MlpRun;
import dev.cairn.bench.Row;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.train.data.ImageSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// Measures the whole cost of saving for a training: its time with saves relative to its time without. Windows with and
/// without saves alternate in one process, in changing order. The MLP 784-2048-2048-10 with Adam trains on all cores.
/// A window with saves ends when the last save is durable, and merged if a merge is due.
public final class LoopBench {
    private static final List<Integer> WIDTHS = List.of(784, 2048, 2048, 10);
    private static final int WARM_UP_STEPS = 20;
    private static final int WARM_UP_SAVES = 60;

    private final Path folder;
    private final CheckpointOptions options;
    private final Consumer<String> progress;
    private final MlpRun mlp;

    private LoopBench(Path folder, CheckpointOptions options, Consumer<String> progress, MlpRun mlp) {
        this.folder = folder;
        this.options = options.withPolicy(new SavePolicy.EverySteps(1)).withoutLog();
        this.progress = progress;
        this.mlp = mlp;
    }

    /// The rows `loop.every50` and `loop.every1` with the intervals of their medians.
    ///
    /// @param folder where the benchmark may write
    /// @param options how to save; policy and listener are the benchmark's
    /// @param threads of the training
    public static List<Row> rows(
            ImageSet data, Path folder, CheckpointOptions options, int threads, int pairs, Consumer<String> progress)
            throws IOException {
        try (var mlp = new MlpRun(data, WIDTHS, MlpRun.Optimizer.ADAM, 1, threads)) {
            var bench = new LoopBench(folder, options, progress, mlp);
            mlp.trainTo(WARM_UP_STEPS);
            Medians seldom = bench.measure("loop.every50", new Window(50, 50), pairs);
            // A base and all its deltas: the cost of the bases is part of every window.
            int chain = options.encoding().longestChain() + 1;
            Medians always = bench.measure("loop.every1", new Window(chain, 1), pairs);
            return List.of(
                    Row.atMost("loop.every50", seldom.median(), "x", 1.03, 1.015),
                    Row.plain("loop.every50.low", seldom.low(), "x"),
                    Row.plain("loop.every50.high", seldom.high(), "x"),
                    Row.atMost("loop.every1", always.median(), "x", 2.10, 1.25),
                    Row.plain("loop.every1.low", always.low(), "x"),
                    Row.plain("loop.every1.high", always.high(), "x"));
        }
    }

    /// A number of steps. The first one is saved, and then one at each interval.
    private record Window(int steps, int every) {}

    private Medians measure(String name, Window window, int pairs) throws IOException {
        double[] ratios = new double[pairs];
        try (var checkpoints = Checkpoints.open(Files.createTempDirectory(folder, "loop-"), options)) {
            // Long enough that the encoder is compiled: a training that saves is hours long, this is not.
            train(checkpoints, new Window(WARM_UP_SAVES, 1), true);
            for (int pair = 0; pair < pairs; pair++) {
                progress.accept("%s: pair %d of %d".formatted(name, pair + 1, pairs));
                boolean savesFirst = pair % 2 == 0;
                double first = train(checkpoints, window, savesFirst);
                double second = train(checkpoints, window, !savesFirst);
                ratios[pair] = savesFirst ? first / second : second / first;
            }
            if (checkpoints.statistics().failed() > 0) {
                throw new IOException("saves failed, so their cost is unknown: " + checkpoints.statistics());
            }
        }
        return Medians.of(ratios);
    }

    /// The nanoseconds of the window.
    private double train(Checkpoints checkpoints, Window window, boolean saves) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < window.steps(); i++) {
            mlp.makeStep(checkpoints::beforeUpdate);
            if (saves && i % window.every() == 0) {
                checkpoints.awaitSave(); // However long it takes: a save that is skipped would cost nothing.
                checkpoints.afterStep(mlp.step(), mlp);
            }
        }
        if (saves) {
            checkpoints.beforeUpdate();
            // Merges are part of what saving costs; left to themselves, they would slow down the window that follows.
            checkpoints.awaitHousekeeping();
        }
        return System.nanoTime() - start;
    }
}
