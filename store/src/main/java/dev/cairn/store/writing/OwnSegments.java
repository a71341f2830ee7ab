package dev.cairn.store.writing;

import dev.cairn.store.segment.SegmentName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The segments that one writer wrote or is writing, so that it removes no others. Thread-safe.
final class OwnSegments {
    private final long firstNumber;
    private final Set<String> inFlight = ConcurrentHashMap.newKeySet();
    /// The segments of failed saves and merges, if removing them may have failed too.
    private final Set<String> leftBehind = ConcurrentHashMap.newKeySet();

    /// @param firstNumber the number of the writer's first record
    OwnSegments(long firstNumber) {
        this.firstNumber = firstNumber;
    }

    /// Notes a segment before it is written.
    void begin(String file) {
        inFlight.add(file);
        leftBehind.add(file);
    }

    /// Notes that a record names this segment.
    void commit(String file) {
        leftBehind.remove(file);
    }

    /// Notes that this segment is no longer being written or committed. It may be removed if no record names it.
    void end(String file) {
        inFlight.remove(file);
    }

    /// Notes that all segments that [may be removed][#mayRemove] and that nothing needs were removed.
    void forgetRemoved() {
        leftBehind.retainAll(inFlight);
    }

    /// Whether the writer may remove this segment. It never removes one that was started after it lost contact: that
    /// may belong to the next writer, in the middle of a save.
    boolean mayRemove(String segment) {
        return !inFlight.contains(segment)
                && (leftBehind.contains(segment) || SegmentName.numberOf(segment) < firstNumber);
    }
}
