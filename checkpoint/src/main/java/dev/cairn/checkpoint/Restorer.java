package dev.cairn.checkpoint;

import dev.cairn.store.CheckpointReader;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.DamagedException;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.FreshStart;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Brings the newest checkpoint that verifies back into the live tensors.
final class Restorer {
    private final CheckpointStore store;
    private final CheckpointEvent.Listener listener;

    Restorer(CheckpointStore store, CheckpointEvent.Listener listener) {
        this.store = store;
        this.listener = listener;
    }

    /// The newest record that reads, without a look at its segments; empty where the run has no checkpoint.
    Optional<Checkpoint> newestRecord() throws IOException {
        return newest((record, checkpoint) -> {}, event -> {});
    }

    Optional<Checkpoint> restoreLatest(TrainingState state) throws IOException {
        return newest((record, checkpoint) -> restore(record, checkpoint, state), listener);
    }

    private interface Trial {
        void attempt(String record, Checkpoint checkpoint) throws IOException;
    }

    /// Tries checkpoints from the newest on until one passes. A newer format ends the search: passing over it would
    /// throw away what a later Cairn saved.
    private Optional<Checkpoint> newest(Trial trial, CheckpointEvent.Listener told) throws IOException {
        List<Entry> entries = store.currentEntries();
        @Nullable StoreException newestReason = null;
        for (Entry entry : entries.reversed()) {
            StoreException reason;
            switch (entry) {
                case Entry.Unreadable unreadable -> reason = unreadable.reason();
                case Entry.Intact(Checkpoint checkpoint) -> {
                    try {
                        trial.attempt(entry.file(), checkpoint);
                        return Optional.of(checkpoint);
                    } catch (StoreException e) {
                        reason = e;
                    }
                }
                case Entry.Intact(FreshStart _) -> {
                    continue;
                }
            }
            if (reason instanceof NewerFormatException) {
                throw reason;
            }
            told.on(new CheckpointEvent.PassedOver(entry.number(), reason));
            newestReason = newestReason == null ? reason : newestReason;
        }
        if (newestReason != null) {
            throw new NothingToRestoreException(entries.size(), newestReason);
        }
        return Optional.empty();
    }

    private void restore(String record, Checkpoint checkpoint, TrainingState state) throws IOException {
        List<LiveTensor> live = state.tensors();
        var specs = new HashMap<String, TensorSpec>();
        live.forEach(tensor -> specs.put(tensor.spec().name(), tensor.spec()));
        var stored = new HashMap<String, TensorSpec>();
        checkpoint.tensors().forEach(tensor -> stored.put(tensor.spec().name(), tensor.spec()));
        StateMismatchException.check(stored, specs);
        try (CheckpointReader reader = store.open(checkpoint)) {
            int[] originals = Aliases.originals(live);
            for (int i = 0; i < originals.length; i++) {
                LiveTensor tensor = live.get(i);
                if (originals[i] != i) {
                    continue; // The same memory under another name: it has its values.
                }
                TensorSpec source = stored.get(tensor.spec().name());
                if (source != null) {
                    reader.read(source, tensor.memory());
                }
            }
        }
        try {
            state.restored(checkpoint.step(), checkpoint.attributes());
        } catch (RuntimeException senseless) {
            throw new DamagedException(record, "attributes do not fit the model: " + senseless.getMessage());
        }
    }
}
