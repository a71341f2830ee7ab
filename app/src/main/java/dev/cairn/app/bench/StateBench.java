package dev.cairn.app.bench;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.train.data.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// What the whole state costs and what resuming from it costs: a training with a chain of checkpoints every 10 steps
/// up to
/// step 300, then 60 steps more, from the live state and from what was stored.
final class StateBench {
    private static final List<Integer> WIDTHS = List.of(784, 512, 512, 10);
    private static final int STEPS = 300;
    private static final int EVERY = 10;
    private static final int COUNTED_FROM = 110;
    private static final int AFTER = 60;
    private static final int SCORE_EVERY = 5;

    private StateBench() {}

    /// @param factor bytes of the state in memory over bytes of a delta on disk, mean of the later deltas
    /// @param gap test loss after resuming from the stored state less that of going on from the live one, mean
    record Outcome(double factor, double gap) {}

    static Outcome run(Dataset data, Path folder, Codec codec, OptimizerSpec optimizer, long seed, int threads)
            throws IOException {
        Path run = Files.createTempDirectory(folder, "state-");
        var committed = new CopyOnWriteArrayList<Checkpoint>();
        var options = CheckpointOptions.defaults()
                .withCodec(codec)
                .withPolicy(new SavePolicy.EverySteps(EVERY))
                .withLongestChain(1000)
                .withListener(event -> {
                    if (event instanceof CheckpointEvent.Committed saved) {
                        committed.add(saved.checkpoint());
                    }
                });
        try (var live = new MlpRun(data, WIDTHS, optimizer, seed, threads);
                Checkpoints checkpoints = Checkpoints.open(run, options)) {
            while (live.step() < STEPS) {
                live.trainTo(live.step() + EVERY);
                checkpoints.afterStep(live.step(), live);
                checkpoints.awaitSave();
            }
            double[] exact = losses(live);
            double[] stored;
            try (var resumed = new MlpRun(data, WIDTHS, optimizer, seed, threads)) {
                checkpoints.restoreLatest(resumed);
                stored = losses(resumed);
            }
            double gap = 0;
            for (int i = 0; i < exact.length; i++) {
                gap += (stored[i] - exact[i]) / exact.length;
            }
            double bytes = committed.stream()
                    .filter(checkpoint -> checkpoint.step() >= COUNTED_FROM)
                    .mapToLong(Checkpoint::storedBytes)
                    .average()
                    .orElseThrow();
            return new Outcome(committed.getLast().fullBytes() / bytes, gap);
        }
    }

    private static double[] losses(MlpRun run) {
        double[] losses = new double[AFTER / SCORE_EVERY];
        for (int i = 0; i < losses.length; i++) {
            run.trainTo(run.step() + SCORE_EVERY);
            losses[i] = run.testLoss();
        }
        return losses;
    }
}
