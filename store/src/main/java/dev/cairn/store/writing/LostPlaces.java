package dev.cairn.store.writing;

import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The positions of checkpoints whose records were lost, although later checkpoints of the same chain are still there.
/// If such a checkpoint got the next number when it comes back, it would be newer than those that are built on it.
public final class LostPlaces {
    private LostPlaces() {}

    /// Free positions before the later checkpoints, by id. Those without a later checkpoint, or without a free
    /// position, are not included.
    ///
    /// @param chain the checkpoints, starting with the base
    /// @param there the log that lacks some of them
    /// @param known those that it has or that come back before these, by id
    public static Map<String, Long> of(List<Commit> chain, History there, Map<String, Commit> known) {
        Set<Long> taken = new HashSet<>();
        there.currentCheckpoints().forEach(checkpoint -> taken.add(checkpoint.position()));
        known.values().forEach(checkpoint -> taken.add(checkpoint.position()));
        var places = new HashMap<String, Long>();
        var lost = new ArrayList<Commit>();
        long before = there.lastStart();
        for (Commit link : chain) {
            Commit found = known.get(link.id());
            if (found == null) {
                lost.add(link);
                continue;
            }
            long place = found.position();
            for (Commit each : lost.reversed()) {
                do {
                    place--;
                } while (taken.contains(place));
                if (place > before) {
                    places.put(each.id(), place);
                }
            }
            lost.clear();
            before = found.position();
        }
        return places;
    }
}
