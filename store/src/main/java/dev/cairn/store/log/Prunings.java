package dev.cairn.store.log;

import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.FreshStart;
import dev.cairn.store.log.LogRecord.Pruned;
import dev.cairn.store.log.LogRecord.TakenOver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The numbers of a log that fresh starts and prunings ended. Numbers before the last fresh start stay ended even if
/// the record of that start is lost.
///
/// A writer that lost contact and the run may create one record at a number that a pruning freed. That number is
/// below the pruning, which does not keep it. Such a record must change nothing, whatever it says.
final class Prunings {
    static final Prunings NONE = new Prunings();

    /// The newest pruning since each fresh start; key 0 is the beginning of the log. Only the newest one counts,
    /// because it lists everything that is left.
    private final NavigableMap<Long, Pruned> since = new TreeMap<>();

    private long lastStart;

    private Prunings() {}

    /// Finds the prunings of a log. A pruning that removes what its kept checkpoints need was not written by Cairn.
    /// It ends nothing: it is moved from the records to the unreadable numbers.
    static Prunings in(SortedMap<Long, LogRecord> records, SortedMap<Long, StoreException> unreadable) {
        while (true) {
            var prunings = new Prunings();
            prunings.find(records);
            SortedMap<Long, StoreException> wrong = prunings.contradictions(records);
            if (wrong.isEmpty()) {
                return prunings;
            }
            records.keySet().removeAll(wrong.keySet());
            unreadable.putAll(wrong);
        }
    }

    /// The number of the last fresh start; 0 if there was none.
    long lastStart() {
        return lastStart;
    }

    /// Whether a pruning ended this number.
    boolean end(long number) {
        return pruningThatEnds(number) != null;
    }

    private void find(SortedMap<Long, LogRecord> records) {
        for (LogRecord entry : records.values()) {
            switch (entry) {
                case FreshStart start -> lastStart = isVoid(start, records) ? lastStart : start.number();
                case Pruned pruned -> {
                    lastStart = Math.max(lastStart, pruned.since());
                    since.put(lastStart, pruned);
                }
                case Commit _ -> {}
                case TakenOver _ -> {}
            }
        }
    }

    /// A pruning keeps only checkpoints after the last fresh start. If it keeps an older one, that start was made
    /// after it.
    private static boolean isVoid(FreshStart start, SortedMap<Long, LogRecord> records) {
        return records.tailMap(start.number()).values().stream()
                .anyMatch(later -> later instanceof Pruned pruned
                        && pruned.kept().stream().anyMatch(kept -> kept < start.number()));
    }

    /// The pruning that ended this number, or null.
    private @Nullable Pruned pruningThatEnds(long number) {
        var pruning = since.lowerEntry(number);
        return pruning != null
                        && number < pruning.getValue().number()
                        && !pruning.getValue().kept().contains(number)
                ? pruning.getValue()
                : null;
    }

    /// The prunings that keep a checkpoint but remove one that it needs.
    private SortedMap<Long, StoreException> contradictions(SortedMap<Long, LogRecord> records) {
        var left = new HashSet<String>();
        var ended = new HashMap<String, Pruned>();
        for (LogRecord entry : records.values()) {
            if (entry instanceof Commit checkpoint) {
                Pruned pruning = pruningThatEnds(checkpoint.number());
                if (pruning == null) {
                    left.add(checkpoint.id());
                } else {
                    ended.put(checkpoint.id(), pruning);
                }
            }
        }
        var wrong = new TreeMap<Long, StoreException>();
        for (LogRecord entry : records.values()) {
            if (entry instanceof Commit checkpoint
                    && checkpoint.parent() != null
                    && left.contains(checkpoint.id())
                    && !left.contains(checkpoint.parent().id())) {
                Pruned pruning = ended.get(checkpoint.parent().id());
                if (pruning != null && pruning.kept().contains(checkpoint.number())) {
                    wrong.put(
                            pruning.number(),
                            new DamagedException(
                                    RunFiles.record(pruning.number()),
                                    "it keeps number=%d but removes a checkpoint which that one needs; Cairn never does this"
                                            .formatted(checkpoint.number())));
                }
            }
        }
        return wrong;
    }
}
