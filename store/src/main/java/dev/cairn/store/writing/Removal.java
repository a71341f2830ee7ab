package dev.cairn.store.writing;

import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.History;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/// Removes what the log says that nothing needs; segments first, so that one without a record is always a leftover that
/// the log explains. Only the run's one writer may do it.
///
/// A listing that comes over a network has no checksum, and one that lacks a record makes its segments look needless:
/// there nothing goes on the word of one listing.
final class Removal {
    private Removal() {}

    /// @param mayRemove asked about segments that no record names
    static void run(CheckpointStore store, History history, Predicate<String> mayRemove) throws IOException {
        Set<String> names = needless(history, mayRemove);
        if (store.blobs().isRemote() && !names.isEmpty()) {
            names.retainAll(needless(store.history(), mayRemove));
        }
        for (String name : names) {
            store.blobs().delete(name);
        }
    }

    private static Set<String> needless(History history, Predicate<String> mayRemove) {
        var names = new LinkedHashSet<String>();
        history.leftovers().stream().filter(mayRemove).forEach(names::add);
        for (long number : history.obsoleteNumbers()) {
            names.addAll(history.segmentsOf(number));
            names.add(RunFiles.record(number));
        }
        return names;
    }
}
