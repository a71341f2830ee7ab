package dev.cairn.checkpoint;

import dev.cairn.store.CheckpointReader;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.DamagedException;
import dev.cairn.store.History;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.TensorRef;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Brings a checkpoint that verifies back into the live tensors: the first, in a selector's order.
final class Restorer {
    private static final int MOST_ATTEMPTS = 5;

    private final CheckpointStore store;
    private final CheckpointEvent.Listener listener;

    Restorer(CheckpointStore store, CheckpointEvent.Listener listener) {
        this.store = store;
        this.listener = listener;
    }

    /// The first record that reads, without a look at its segments; empty where the run has none such.
    Optional<Checkpoint> record(Selector selector) throws IOException {
        return first(selector, (record, checkpoint) -> {}, event -> {});
    }

    /// Restores the first checkpoint that verifies; empty where the run has none such.
    Optional<Checkpoint> restore(Selector selector, TrainingState state, Matching matching) throws IOException {
        var overwritten = new HashSet<String>();
        return first(
                selector, (record, checkpoint) -> restore(record, checkpoint, state, matching, overwritten), listener);
    }

    private interface Trial {
        void attempt(String record, Checkpoint checkpoint) throws IOException;
    }

    /// Tries checkpoints in the selector's order until one passes; again, where the run has changed meanwhile.
    private Optional<Checkpoint> first(Selector selector, Trial trial, CheckpointEvent.Listener told)
            throws IOException {
        for (int attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
            History history = store.history();
            var events = new ArrayList<CheckpointEvent>();
            try {
                Optional<Checkpoint> found = firstOf(selector.inOrder(history.current()), trial, events::add);
                if (events.isEmpty() || !hasChanged(history)) {
                    events.forEach(told::on);
                    return found;
                }
            } catch (NothingToRestoreException e) {
                if (!hasChanged(history)) {
                    events.forEach(told::on);
                    throw e;
                }
            }
        }
        return firstOf(selector.inOrder(store.currentEntries()), trial, told);
    }

    /// A checkpoint may have been merged or removed while it was read: then there is a newer record.
    private boolean hasChanged(History history) throws IOException {
        return store.history().lastNumber() != history.lastNumber();
    }

    /// A newer format ends the search: passing over it would throw away what a later Cairn saved.
    private static Optional<Checkpoint> firstOf(List<Entry> entries, Trial trial, CheckpointEvent.Listener told)
            throws IOException {
        @Nullable StoreException firstReason = null;
        for (Entry entry : entries) {
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
            firstReason = firstReason == null ? reason : firstReason;
        }
        if (firstReason != null) {
            throw new NothingToRestoreException(entries.size(), firstReason);
        }
        return Optional.empty();
    }

    /// How the state differs from the checkpoint, where the matching allows it.
    static StateDifference difference(Checkpoint checkpoint, TrainingState state, Matching matching)
            throws StateMismatchException {
        var difference = StateDifference.between(
                checkpoint.tensors().stream().map(TensorRef::spec).toList(),
                state.tensors().stream().map(LiveTensor::spec).toList());
        StateMismatchException.check(difference, matching);
        return difference;
    }

    private void restore(
            String record, Checkpoint checkpoint, TrainingState state, Matching matching, Set<String> overwritten)
            throws IOException {
        StateDifference difference = difference(checkpoint, state, matching);
        List<LiveTensor> live = state.tensors();
        var stored = new HashMap<String, TensorSpec>();
        checkpoint.tensors().forEach(tensor -> stored.put(tensor.spec().name(), tensor.spec()));
        var fitting = new HashSet<String>();
        difference.fitting().forEach(tensor -> fitting.add(tensor.name()));
        if (!fitting.containsAll(overwritten)) {
            // What a damaged checkpoint left in tensors that this one does not fill must not stay there.
            throw new DamagedException(record, "does not have all tensors that a damaged one before it had");
        }
        var pieces = new ArrayList<CheckpointReader.Piece>();
        int[] originals = Aliases.originals(live);
        for (int i = 0; i < originals.length; i++) {
            TensorSpec source = stored.get(live.get(i).spec().name());
            // The same memory under another name has its values already.
            if (source != null && fitting.contains(source.name()) && originals[i] == i) {
                pieces.add(new CheckpointReader.Piece(source, live.get(i).memory()));
            }
        }
        try (CheckpointReader reader = store.open(checkpoint)) {
            overwritten.addAll(fitting);
            reader.read(pieces);
        }
        try {
            state.restored(checkpoint.step(), checkpoint.attributes());
        } catch (RuntimeException senseless) {
            throw new DamagedException(record, "attributes do not fit the model: " + senseless.getMessage());
        }
        if (!difference.isNone()) {
            listener.on(new CheckpointEvent.RestoredInPart(checkpoint, difference));
        }
    }
}
