package dev.cairn.bench.codec;

import dev.cairn.bench.StoredSize;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Writes a chain of real checkpoints of the weights of a training, and reads each one back. Measures the bits on disk
/// per parameter, with records and their twins, headers, tables and checksums, and the error of the weights that a
/// reader gets.
final class SizeBench implements AutoCloseable {
    private final Path run;
    private final Checkpoints checkpoints;
    private final WeightsOnly view;
    private final Snapshot before;
    private final Snapshot now;
    private final Snapshot read;
    private double bits;
    private double errors;
    private int counted;

    SizeBench(Path folder, Codec codec, TrainingState state) throws IOException {
        this.run = Files.createTempDirectory(folder, "chain-");
        var options = CheckpointOptions.defaults()
                .withCodec(codec)
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(1000)
                .withRetention(Retention.parse("all"))
                .withoutLog();
        this.checkpoints = Checkpoints.open(run, options);
        this.view = new WeightsOnly(state);
        this.before = new Snapshot(view);
        this.now = new Snapshot(view);
        this.read = new Snapshot(view);
    }

    /// Saves the state as it is now.
    ///
    /// @param counts whether this save is part of the figures
    void save(long step, boolean counts) throws IOException {
        now.copyFrom(view);
        checkpoints.afterStep(step, now);
        checkpoints.awaitSave();
        Commit last = new CheckpointStore(new LocalBlobStore(run))
                .history()
                .currentCheckpoints()
                .getLast();
        if (last.step() != step) {
            throw new IOException("the save of step " + step + " failed");
        }
        if (counts) {
            bits += 8.0 * StoredSize.of(run, last) / (last.fullBytes() / (double) Float.BYTES);
            checkpoints.restoreLatest(read);
            errors += read.weightDistance(now) / now.weightDistance(before);
            counted++;
        }
        before.copyFrom(now);
    }

    /// The mean number of bits on disk per parameter of a delta.
    double bits() {
        return bits / counted;
    }

    /// The mean error of a reader's weights, relative to the change since the previous checkpoint.
    double errorPerStep() {
        return errors / counted;
    }

    /// The live weights of the last save, and the weights that a reader of the previous save gets: real input for the
    /// speed rows.
    Snapshot live() {
        return now;
    }

    @Override
    public void close() throws IOException {
        checkpoints.close();
        before.close();
        now.close();
        read.close();
    }

    /// A state without its optimizer and random generator.
    private record WeightsOnly(TrainingState state) implements TrainingState {
        @Override
        public List<LiveTensor> tensors() {
            return state.tensors().stream()
                    .filter(tensor -> tensor.spec().role() == Role.WEIGHT)
                    .toList();
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty();
        }

        @Override
        public void restored(long step, Attributes attributes) {}
    }
}
