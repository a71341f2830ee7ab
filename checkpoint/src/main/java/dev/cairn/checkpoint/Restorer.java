package dev.cairn.checkpoint;

import dev.cairn.store.CheckpointReader;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.DamagedException;
import dev.cairn.store.History;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Brings the newest checkpoint that verifies back into the live tensors.
final class Restorer {
    private static final int MOST_ATTEMPTS = 5;

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
        for (int attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
            History history = store.history();
            var passedOver = new ArrayList<CheckpointEvent>();
            try {
                Optional<Checkpoint> found = newestOf(history.current(), trial, passedOver::add);
                if (passedOver.isEmpty() || !hasChanged(history)) {
                    passedOver.forEach(told::on);
                    return found;
                }
            } catch (NothingToRestoreException e) {
                if (!hasChanged(history)) {
                    passedOver.forEach(told::on);
                    throw e;
                }
            }
        }
        return newestOf(store.currentEntries(), trial, told);
    }

    /// A checkpoint may have been merged or removed while it was read: then there is a newer record.
    private boolean hasChanged(History history) throws IOException {
        return store.history().lastNumber() != history.lastNumber();
    }

    private static Optional<Checkpoint> newestOf(List<Entry> entries, Trial trial, CheckpointEvent.Listener told)
            throws IOException {
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
        var pieces = new ArrayList<CheckpointReader.Piece>();
        int[] originals = Aliases.originals(live);
        for (int i = 0; i < originals.length; i++) {
            TensorSpec source = stored.get(live.get(i).spec().name());
            // The same memory under another name has its values already.
            if (source != null && originals[i] == i) {
                pieces.add(new CheckpointReader.Piece(source, live.get(i).memory()));
            }
        }
        try (CheckpointReader reader = store.open(checkpoint)) {
            reader.read(pieces);
        }
        try {
            state.restored(checkpoint.step(), checkpoint.attributes());
        } catch (RuntimeException senseless) {
            throw new DamagedException(record, "attributes do not fit the model: " + senseless.getMessage());
        }
    }
}
