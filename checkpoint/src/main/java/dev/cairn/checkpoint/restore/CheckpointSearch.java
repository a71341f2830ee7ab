package dev.cairn.checkpoint.restore;

import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.Selector;
import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.SteadyRead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the first checkpoint, in a selector's order, that passes a trial. A training may run at the same time: what
/// it merges and removes is not mistaken for damage.
public record CheckpointSearch(CheckpointStore run, Selector selector) {
    /// The test that a checkpoint must pass, perhaps several times.
    public interface Trial {
        /// Throws a [StoreException] if the checkpoint does not pass.
        ///
        /// @param record the file of the record, relative to the run
        void attempt(String record, Commit checkpoint) throws IOException;
    }

    /// Receives, at the end, what was found in the final listing.
    public interface Listener {
        /// Called for each checkpoint that did not pass.
        void passedOver(Entry entry, StoreException reason);

        /// Called for each damaged record that was read from its twin.
        default void healed(DamagedException damage) {}
    }

    private record PassedOver(Entry entry, StoreException reason) {}

    /// Tries checkpoints until one passes; empty if the selector matches none.
    ///
    /// @throws NothingToRestoreException if the selector matches checkpoints but none passes; its cause is the
    ///     failure of the first
    /// @throws NewerFormatException if skipping a checkpoint would discard what a later Cairn saved
    public Optional<Commit> first(Trial trial, Listener listener) throws IOException {
        var healed = new ArrayList<DamagedException>();
        var passedOver = new ArrayList<PassedOver>();
        try {
            return SteadyRead.of(runs -> {
                healed.clear();
                passedOver.clear();
                History history = runs.history(run);
                healed.addAll(history.healedRecords().values());
                return first(runs, selector.inOrder(history.current()), trial, passedOver);
            });
        } finally {
            healed.forEach(listener::healed);
            passedOver.forEach(each -> listener.passedOver(each.entry(), each.reason()));
        }
    }

    private static Optional<Commit> first(
            SteadyRead runs, List<Entry> entries, Trial trial, List<PassedOver> passedOver) throws IOException {
        for (Entry entry : entries) {
            StoreException reason;
            switch (entry) {
                case Entry.Unreadable unreadable -> reason = unreadable.reason();
                case Entry.Intact(Commit checkpoint) -> {
                    try {
                        trial.attempt(entry.file(), checkpoint);
                        return Optional.of(checkpoint);
                    } catch (StoreException e) {
                        reason = e;
                    }
                }
            }
            if (reason instanceof NewerFormatException || runs.hasChanged()) {
                throw reason;
            }
            passedOver.add(new PassedOver(entry, reason));
        }
        if (!passedOver.isEmpty()) {
            throw new NothingToRestoreException(
                    entries.size(), passedOver.getFirst().reason());
        }
        return Optional.empty();
    }
}
