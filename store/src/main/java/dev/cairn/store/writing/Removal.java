package dev.cairn.store.writing;

import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.History;
import dev.cairn.store.log.Twins;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Removes the files that the log says nothing needs. Of each number, the twin is removed first, so that nothing brings
/// the record back when it is gone. Then come the segments, so that a segment without a record is always a leftover
/// that the log explains. The record comes last. Only the writer of the run may call it.
///
/// A listing over a network has no checksum, and if it lacks a record, that record's segments look unneeded. On
/// remote storage nothing is removed because of a single listing.
final class Removal {
    private Removal() {}

    /// @param mayRemove whether a segment that no record names may be removed
    /// @param twins the twins that the writer still has to write; none is written during the removal
    static void run(CheckpointStore store, History history, Twins twins, Predicate<String> mayRemove)
            throws IOException {
        Set<String> names = needless(history, mayRemove);
        if (store.blobs().isRemote() && !names.isEmpty()) {
            names.retainAll(needless(store.history(), mayRemove));
        }
        synchronized (twins) {
            twins.forget(history.obsoleteNumbers());
            for (String name : names) {
                store.blobs().delete(name);
            }
        }
    }

    /// Removes the twins of these records.
    static void ofTwins(CheckpointStore store, List<Long> numbers, Twins twins) throws IOException {
        synchronized (twins) {
            twins.forget(numbers);
            for (long number : numbers) {
                store.blobs().delete(RunFiles.twin(number));
            }
        }
    }

    private static Set<String> needless(History history, Predicate<String> mayRemove) {
        var names = new LinkedHashSet<String>();
        history.leftovers().stream().filter(mayRemove).forEach(names::add);
        for (long number : history.obsoleteNumbers()) {
            names.add(RunFiles.twin(number));
            names.addAll(history.segmentsOf(number));
            names.add(RunFiles.record(number));
        }
        return names;
    }
}
