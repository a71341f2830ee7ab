package dev.cairn.checkpoint.restore;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.StateDifference;
import dev.cairn.checkpoint.StateMaker;
import dev.cairn.checkpoint.StateMismatchException;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.checkpoint.capture.Aliases;
import dev.cairn.checkpoint.restore.CheckpointSearch.Trial;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.UnfitAttributesException;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Restores a checkpoint that verifies into the live tensors: the first in a selector's order.
public final class Restorer {
    private final CheckpointStore store;
    private final CheckpointEvent.Listener listener;
    private final Set<String> passedOver = new HashSet<>();
    private boolean unreadable;
    private boolean dropped;

    public Restorer(CheckpointStore store, CheckpointEvent.Listener listener) {
        this.store = store;
        this.listener = listener;
    }

    /// The first record that can be read, without a check of its segments; empty if the run has none.
    public Optional<Commit> record(Selector selector) throws IOException {
        return first(selector, (record, checkpoint) -> {}, event -> {});
    }

    /// The first record that can be read, with its tensors.
    public Optional<Manifest> manifest(Selector selector) throws IOException {
        var found = new AtomicReference<@Nullable Manifest>();
        first(selector, (_, checkpoint) -> found.set(store.manifest(checkpoint)), _ -> {});
        return Optional.ofNullable(found.get());
    }

    /// Restores the first checkpoint that verifies; empty if the run has none.
    public Optional<Commit> restore(Selector selector, TrainingState state, Matching matching) throws IOException {
        var overwritten = new HashSet<String>();
        return first(
                selector, (record, checkpoint) -> restore(record, checkpoint, state, matching, overwritten), listener);
    }

    /// As [#restore(Selector, TrainingState, Matching)], into a state that is made for the checkpoint.
    public Optional<Commit> restore(Selector selector, StateMaker maker, Matching matching) throws IOException {
        return first(
                selector,
                (record, checkpoint) -> {
                    List<TensorSpec> tensors = store.manifest(checkpoint).tensors().stream()
                            .map(TensorRef::spec)
                            .toList();
                    restore(record, checkpoint, maker.stateOf(tensors), matching, new HashSet<>());
                },
                listener);
    }

    private Optional<Commit> first(Selector selector, Trial trial, CheckpointEvent.Listener told) throws IOException {
        passedOver.clear();
        unreadable = false;
        return new CheckpointSearch(store, selector).first(trial, new CheckpointSearch.Listener() {
            @Override
            public void passedOver(Entry entry, StoreException reason) {
                told.on(new CheckpointEvent.PassedOver(entry.number(), note(entry), reason));
            }

            @Override
            public void healed(DamagedException damage) {
                told.on(CheckpointEvent.Healed.fromTwin(damage));
            }
        });
    }

    /// Notes that this entry did not pass, and returns its step, if it can be read.
    private OptionalLong note(Entry entry) {
        return switch (entry) {
            case Entry.Intact(Commit checkpoint) -> {
                passedOver.add(checkpoint.id());
                yield OptionalLong.of(checkpoint.step());
            }
            case Entry.Unreadable _ -> {
                unreadable = true;
                yield OptionalLong.empty();
            }
        };
    }

    /// The ids of the checkpoints that did not pass in the last search, if their records could be read.
    public Set<String> passedOver() {
        return passedOver;
    }

    /// Whether some tensors of the last restored checkpoint were not stored, and are now zeros.
    public boolean hasDropped() {
        return dropped;
    }

    public boolean hasPassedOver() {
        return unreadable || !passedOver.isEmpty();
    }

    /// Whether the last search, which found another checkpoint, may have skipped this one.
    public boolean mayHavePassedOver(Commit checkpoint, Commit found) {
        return passedOver.contains(checkpoint.id()) || (unreadable && checkpoint.step() > found.step());
    }

    /// How the state differs from the checkpoint, if the matching allows it.
    public static StateDifference difference(Manifest manifest, TrainingState state, Matching matching)
            throws StateMismatchException {
        List<LiveTensor> live = state.tensors();
        LiveTensor.requireUniqueNames(live);
        var difference = StateDifference.between(
                manifest.tensors().stream().map(TensorRef::spec).toList(),
                live.stream().map(LiveTensor::spec).toList());
        StateMismatchException.check(difference, matching);
        return difference;
    }

    private void restore(
            String record, Commit checkpoint, TrainingState state, Matching matching, Set<String> overwritten)
            throws IOException {
        Manifest manifest = store.manifest(checkpoint);
        StateDifference difference = difference(manifest, state, matching);
        List<LiveTensor> live = state.tensors();
        var fitting = new HashSet<String>();
        difference.fitting().forEach(tensor -> fitting.add(tensor.key()));
        if (!fitting.containsAll(overwritten)) {
            // Values of a damaged checkpoint must not stay in tensors that this checkpoint does not fill.
            throw new DamagedException(
                    record, "does not have all tensors of a damaged checkpoint that was tried before");
        }
        var pieces = new ArrayList<CheckpointReader.Piece>();
        int[] originals = Aliases.originals(live);
        for (int i = 0; i < originals.length; i++) {
            TensorSpec spec = live.get(i).spec();
            // The same memory under another name already has its values.
            if (fitting.contains(spec.key()) && originals[i] == i) {
                pieces.add(new CheckpointReader.Piece(spec, live.get(i).memory()));
            }
        }
        try (CheckpointReader reader = store.open(checkpoint)) {
            overwritten.addAll(fitting);
            reader.read(pieces);
            reader.healed().forEach(healed -> listener.on(CheckpointEvent.Healed.of(healed)));
        }
        try {
            state.restored(checkpoint.step(), checkpoint.attributes());
        } catch (UnfitAttributesException unfit) {
            throw new DamagedException(record, "attributes do not fit the model: " + unfit.getMessage());
        }
        dropped = manifest.tensors().stream().anyMatch(TensorRef::isDropped);
        if (!difference.isNone()) {
            listener.on(new CheckpointEvent.RestoredInPart(Checkpoint.of(checkpoint), difference));
        }
    }
}
