package dev.cairn.bench.codec;

import dev.cairn.bench.MlpRun;
import dev.cairn.bench.StoredSize;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.train.data.ImageSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Measures the size of the whole state, and the effect of resuming from it. A training saves every 10 steps up to step
/// 300. Then it makes 60 more steps, from the live state and from the stored one. Several codecs save the same
/// training.
final class StateBench {
    private static final List<Integer> WIDTHS = List.of(784, 512, 512, 10);
    private static final int STEPS = 300;
    private static final int EVERY = 10;
    private static final int COUNTED_FROM = 110;
    private static final int AFTER = 60;
    private static final int SCORE_EVERY = 5;

    private final ImageSet data;
    private final Path folder;
    private final MlpRun.Optimizer optimizer;
    private final int threads;

    StateBench(ImageSet data, Path folder, MlpRun.Optimizer optimizer, int threads) {
        this.data = data;
        this.folder = folder;
        this.optimizer = optimizer;
        this.threads = threads;
    }

    /// @param factor bytes of the state in memory over bytes of a delta on disk, with its record, mean of the later
    /// deltas
    /// @param gap mean test loss after a resume from the stored state, minus that without a resume
    record Outcome(double factor, double gap) {}

    /// One outcome for each codec, in order.
    List<Outcome> run(List<Codec> codecs, long seed) throws IOException {
        var chains = new ArrayList<Chain>();
        try (var live = new MlpRun(data, WIDTHS, optimizer, seed, threads)) {
            for (Codec codec : codecs) {
                chains.add(new Chain(Files.createTempDirectory(folder, "state-"), codec));
            }
            while (live.step() < STEPS) {
                live.trainTo(live.step() + EVERY);
                for (Chain chain : chains) {
                    chain.checkpoints.afterStep(live.step(), live);
                    chain.checkpoints.awaitSave();
                }
            }
            double[] exact = losses(live);
            var outcomes = new ArrayList<Outcome>();
            for (Chain chain : chains) {
                outcomes.add(new Outcome(chain.factor(), meanDifference(resumedLosses(chain, seed), exact)));
            }
            return outcomes;
        } finally {
            for (Chain chain : chains) {
                chain.checkpoints.close();
            }
        }
    }

    private double[] resumedLosses(Chain chain, long seed) throws IOException {
        try (var resumed = new MlpRun(data, WIDTHS, optimizer, seed, threads)) {
            chain.checkpoints.restoreLatest(resumed);
            return losses(resumed);
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

    private static double meanDifference(double[] some, double[] others) {
        double sum = 0;
        for (int i = 0; i < some.length; i++) {
            sum += some[i] - others[i];
        }
        return sum / some.length;
    }

    /// The checkpoints of one codec.
    private static final class Chain {
        private final Path run;
        private final Checkpoints checkpoints;

        Chain(Path run, Codec codec) throws IOException {
            this.run = run;
            this.checkpoints = Checkpoints.open(
                    run,
                    CheckpointOptions.defaults()
                            .withCodec(codec)
                            .withPolicy(new SavePolicy.EverySteps(EVERY))
                            .withLongestChain(1000)
                            .withRetention(Retention.parse("all"))
                            .withoutLog());
        }

        double factor() throws IOException {
            List<Commit> counted = new CheckpointStore(new LocalBlobStore(run))
                    .history().currentCheckpoints().stream()
                            .filter(checkpoint -> checkpoint.step() >= COUNTED_FROM)
                            .toList();
            return (double) counted.size() * counted.getLast().fullBytes() / StoredSize.of(run, counted);
        }
    }
}
