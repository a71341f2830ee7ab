package dev.cairn.checkpoint;

import dev.cairn.checkpoint.CheckpointSearch.Trial;
import dev.cairn.store.CheckpointReader;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.DamagedException;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.TensorRef;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Brings a checkpoint that verifies back into the live tensors: the first, in a selector's order.
final class Restorer {
    private final CheckpointStore store;
    private final CheckpointEvent.Listener listener;
    private final Set<String> passedOver = new HashSet<>();
    private boolean unreadable;

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

    private Optional<Checkpoint> first(Selector selector, Trial trial, CheckpointEvent.Listener told)
            throws IOException {
        passedOver.clear();
        unreadable = false;
        return new CheckpointSearch(store, selector).first(trial, (entry, reason) -> {
            switch (entry) {
                case CheckpointStore.Entry.Intact(Checkpoint checkpoint) -> passedOver.add(checkpoint.id());
                case CheckpointStore.Entry.Unreadable _ -> unreadable = true;
            }
            told.on(new CheckpointEvent.PassedOver(entry.number(), reason));
        });
    }

    /// Ids of the checkpoints that did not pass in the last search, as far as their records read.
    Set<String> passedOver() {
        return passedOver;
    }

    boolean hasPassedOver() {
        return unreadable || !passedOver.isEmpty();
    }

    /// Whether the last search, which found another, may have passed over this one.
    boolean mayHavePassedOver(Checkpoint checkpoint, Checkpoint found) {
        return passedOver.contains(checkpoint.id()) || (unreadable && checkpoint.step() > found.step());
    }

    /// How the state differs from the checkpoint, where the matching allows it.
    static StateDifference difference(Checkpoint checkpoint, TrainingState state, Matching matching)
            throws StateMismatchException {
        List<LiveTensor> live = state.tensors();
        LiveTensor.requireUniqueNames(live);
        var difference = StateDifference.between(
                checkpoint.tensors().stream().map(TensorRef::spec).toList(),
                live.stream().map(LiveTensor::spec).toList());
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
