package dev.cairn.bench.checkpoint;

import dev.cairn.bench.MlpRun;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.retention.Retention;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Measures the first saves of a process. A training restores, steps and saves like any loop, with its state tiled to
/// 256 MB. Each save runs during the steps that follow it, on the same cores. Prints the nanoseconds of each save, from
/// the step until the checkpoint can be restored: a base, then deltas.
final class FirstSaves {
    private static final List<Integer> WIDTHS = List.of(784, 2048, 2048, 10);
    private static final int SAVES = 10;
    private static final int EVERY = 10;

    private FirstSaves() {}

    /// Saves ten times.
    ///
    /// @param arguments an empty folder, the codec, the number of training threads
    public static void main(String[] arguments) throws IOException {
        var data = (ImageSet) DataSets.load("digits", DataPlaces.of(Optional.empty()), DataProgress.NONE);
        var committed = new ArrayList<CheckpointEvent>();
        var options = CheckpointOptions.defaults()
                .withCodec(Codec.parse(arguments[1]))
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(SAVES)
                .withRetention(Retention.parse("all"))
                .withoutLog()
                .withListener(committed::add);
        try (var training = new MlpRun(data, WIDTHS, MlpRun.Optimizer.ADAM, 1, Integer.parseInt(arguments[2]));
                var state = new AdamState();
                var checkpoints = Checkpoints.open(Path.of(arguments[0]), options)) {
            checkpoints.restoreLatest(state);
            for (int save = 0; save < SAVES; save++) {
                training.trainTo(training.step() + EVERY);
                state.copyFrom(training);
                long start = System.nanoTime();
                checkpoints.afterStep(training.step(), state);
                while (checkpoints.statistics().committed() == save) {
                    if (checkpoints.statistics().failed() > 0) {
                        throw new IOException("a save failed: " + committed);
                    }
                    training.makeStep(() -> {});
                }
                System.out.println(System.nanoTime() - start);
                checkpoints.awaitSave();
            }
        }
    }
}
