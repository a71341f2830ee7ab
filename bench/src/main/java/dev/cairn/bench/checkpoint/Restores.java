package dev.cairn.bench.checkpoint;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Restores of some checkpoints, all in turn, each as a restore reads it. The first rounds are not counted: there the
/// compiler is at work, too.
final class Restores {
    private static final int WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 7;

    private final Map<String, Timed> named = new LinkedHashMap<>();
    private final Consumer<String> progress;

    private record Timed(CheckpointStore store, Commit checkpoint) {}

    Restores(Consumer<String> progress) {
        this.progress = progress;
    }

    Restores with(String name, CheckpointStore store, Commit checkpoint) {
        named.put(name, new Timed(store, checkpoint));
        return this;
    }

    /// The newest checkpoint of this run.
    Restores withNewest(String name, Path run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        return with(name, store, Runs.checkpoints(store).getLast());
    }

    void time(Stopwatch watch, AdamState into) throws IOException {
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            progress.accept("restores: round %d of %d".formatted(round + WARM_UP_ROUNDS + 1, WARM_UP_ROUNDS + ROUNDS));
            for (var each : named.entrySet()) {
                if (round < 0) {
                    restore(each.getValue(), into);
                } else {
                    watch.time(each.getKey(), () -> restore(each.getValue(), into));
                }
            }
        }
    }

    private static void restore(Timed timed, AdamState into) throws IOException {
        try (CheckpointReader reader = timed.store().open(timed.checkpoint())) {
            reader.read(into.tensors().stream()
                    .map(tensor -> new CheckpointReader.Piece(tensor.spec(), tensor.memory()))
                    .toList());
        }
    }
}
