package dev.cairn.dashboard.story;

import dev.cairn.dashboard.points.Curve;
import dev.cairn.dashboard.points.Millis;
import dev.cairn.observe.events.RecordedEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;

/// The stored size of all checkpoints of a run over time, as its events tell. Without those of attempts that recorded
/// no events.
public final class SpaceUse {
    private record Change(long time, long bytes) {}

    private SpaceUse() {}

    /// The size in bytes after each change.
    public static Curve of(Story story) {
        var changes = new ArrayList<Change>();
        var byStep = new HashMap<Long, Long>();
        for (Save save : story.saves()) {
            Long before = byStep.put(save.step(), save.storedBytes());
            boolean replaces = save.kind().equals("merged") && before != null;
            changes.add(new Change(save.time(), save.storedBytes() - (replaces ? before : 0)));
        }
        for (RecordedEvent note : story.notes()) {
            if (note.kind().equals("pruned")) {
                changes.add(new Change(Millis.of(note.time()), -(long)
                        note.number("storedBytes").orElse(0)));
            }
        }
        changes.sort(Comparator.comparingLong(Change::time));
        var curve = new Curve();
        long bytes = 0;
        for (Change change : changes) {
            bytes = Math.max(0, bytes + change.bytes());
            curve.add(change.time(), 0, (double) bytes);
        }
        return curve;
    }
}
