package dev.cairn.app.demo;

import dev.cairn.bench.StoredSize;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.store.Attributes;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;

/// The size of a run's checkpoints with another codec. Each one is read and saved again, the last one exactly, as a
/// training does.
///
/// @param bytes the size of all checkpoints, with their records
/// @param usualError the relative error of the weights: the median of the checkpoints that are not exact; 0 if all are
record Replay(long bytes, double usualError) {
    /// The state that is read from one run and saved into the other.
    private record StoredState(List<LiveTensor> tensors) implements TrainingState {
        static StoredState like(Manifest manifest, Arena arena) {
            return new StoredState(manifest.tensors().stream()
                    .map(tensor -> new LiveTensor(
                            tensor.spec(), arena.allocate(tensor.spec().sizeBytes(), 64)))
                    .toList());
        }

        void read(CheckpointStore store, Commit checkpoint) throws IOException {
            try (CheckpointReader reader = store.open(checkpoint)) {
                reader.read(tensors.stream()
                        .map(tensor -> new CheckpointReader.Piece(tensor.spec(), tensor.memory()))
                        .toList());
            }
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty();
        }

        @Override
        public void restored(long step, Attributes attributes) {}
    }

    /// @param from checkpoints of the run, oldest first; all exact
    /// @param to a folder for the other run, which does not exist yet
    static Replay of(Path run, List<Commit> from, Path to, Codec codec) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        CheckpointOptions options = CheckpointOptions.defaults()
                .withCodec(codec)
                .withPolicy(new SavePolicy.EverySteps(1))
                .withRetention(Retention.parse("all"))
                .withoutLog();
        try (Arena arena = Arena.ofShared();
                Checkpoints checkpoints = Checkpoints.open(to, options)) {
            var state = StoredState.like(store.manifest(from.getFirst()), arena);
            for (int i = 0; i < from.size(); i++) { // numbered again: a run that went back has steps twice
                state.read(store, from.get(i));
                if (i == from.size() - 1) {
                    checkpoints.saveNow(i, state);
                } else {
                    checkpoints.afterStep(i, state);
                    checkpoints.awaitHousekeeping();
                }
            }
            if (checkpoints.statistics().failed() > 0) {
                throw new IOException("a save of the comparison failed; check the free space on the disk of " + to);
            }
        }
        List<Commit> made =
                new CheckpointStore(new LocalBlobStore(to)).history().currentCheckpoints();
        double[] errors = made.stream()
                .flatMap(checkpoint -> checkpoint.attributes().number(WeightError.OF_STATE).stream())
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return new Replay(StoredSize.of(to, made), errors.length == 0 ? 0 : errors[errors.length / 2]);
    }
}
