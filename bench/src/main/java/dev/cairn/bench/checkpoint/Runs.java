package dev.cairn.bench.checkpoint;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The runs of the benchmarks: how they are opened, saved and listed.
final class Runs {
    static final Codec LOSSY = new Codec.Uniform(Codec.DEFAULT_TARGET);

    private Runs() {}

    /// Opens a run that is saved at every step and keeps everything.
    static Checkpoints open(Path run, Codec codec, int longestChain) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withCodec(codec)
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withLongestChain(longestChain)
                        .withRetention(Retention.parse("all"))
                        .withoutLog());
    }

    /// From the call until it can be restored from.
    static void save(Checkpoints checkpoints, long step, TrainingState state) throws IOException {
        int before = checkpoints.statistics().committed();
        checkpoints.afterStep(step, state);
        checkpoints.awaitSave();
        if (checkpoints.statistics().committed() != before + 1) {
            throw new IOException("the save of step " + step + " failed");
        }
    }

    static List<Commit> checkpoints(CheckpointStore store) throws IOException {
        var checkpoints = new ArrayList<Commit>();
        for (Entry entry : store.currentEntries()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                checkpoints.add(checkpoint);
            }
        }
        return checkpoints;
    }
}
