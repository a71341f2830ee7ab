package dev.cairn.store.repair;

import dev.cairn.store.check.Soundness;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.writing.LostPlaces;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The checkpoints whose records a run has lost in both places, and which its copy has: those that other checkpoints
/// of the run need, and the newest one if the newest numbers of the run cannot be read. Other checkpoints of the copy
/// may be missing in the run because they were removed there, and do not come back.
final class LostRecords {
    /// A lost checkpoint.
    ///
    /// @param there the checkpoint in the copy
    /// @param position its place among the checkpoints of the run; 0 for the place of the number that it gets
    record Lost(Commit there, long position) {}

    private final History run;
    private final Soundness soundThere;
    /// The checkpoints of the run and those found, by id.
    private final Map<String, Commit> known = new HashMap<>();
    private final Map<String, Commit> copied = new HashMap<>();
    private final List<Lost> found = new ArrayList<>();

    private LostRecords(History run, History copy, Soundness soundThere) {
        this.run = run;
        this.soundThere = soundThere;
        run.currentCheckpoints().forEach(checkpoint -> known.put(checkpoint.id(), checkpoint));
        copy.currentCheckpoints().forEach(checkpoint -> copied.put(checkpoint.id(), checkpoint));
    }

    /// Whether the run may lack such checkpoints.
    static boolean mayBeIn(History run) {
        List<Commit> there = run.currentCheckpoints();
        Set<String> ids = new HashSet<>();
        there.forEach(checkpoint -> ids.add(checkpoint.id()));
        return endsUnreadable(run)
                || there.stream().map(Commit::parent).anyMatch(parent -> parent != null && !ids.contains(parent.id()));
    }

    private static boolean endsUnreadable(History run) {
        List<Entry> entries = run.current();
        return !entries.isEmpty() && entries.getLast() instanceof Entry.Unreadable;
    }

    /// Finds them, each after those that it needs.
    static List<Lost> find(History run, History copy, Soundness soundThere) throws IOException {
        var lost = new LostRecords(run, copy, soundThere);
        // A copy that shares no checkpoint may be the copy of another run.
        if (!Collections.disjoint(lost.known.keySet(), lost.copied.keySet())) {
            lost.findNeeded();
            lost.findNewest(copy.currentCheckpoints().getLast());
        }
        return lost.found;
    }

    private void findNeeded() throws IOException {
        for (Commit checkpoint : run.currentCheckpoints()) {
            complete(chain(checkpoint));
        }
    }

    private void findNewest(Commit newest) throws IOException {
        long before = run.currentCheckpoints().getLast().step();
        if (endsUnreadable(run) && !known.containsKey(newest.id()) && newest.step() > before) {
            complete(chain(newest));
        }
    }

    /// The unreadable numbers after the last checkpoint that can be read, ascending: the places of the newest ones.
    private Deque<Long> lastUnreadable() {
        var last = new ArrayDeque<Long>();
        for (Entry entry : run.current().reversed()) {
            if (entry instanceof Entry.Intact) {
                break;
            }
            last.addFirst(entry.number());
        }
        return last;
    }

    /// The chain of a checkpoint, from both histories, starting with the base; empty if both lack a part of it.
    private List<Commit> chain(Commit tip) {
        var chain = new ArrayList<Commit>();
        var seen = new HashSet<String>();
        Commit link = tip;
        while (seen.add(link.id())) {
            chain.add(link);
            Parent parent = link.parent();
            if (parent == null) {
                return chain.reversed();
            }
            Commit next = known.get(parent.id());
            next = next == null ? copied.get(parent.id()) : next;
            if (next == null || !next.digest().equals(parent.digest())) {
                return List.of();
            }
            link = next;
        }
        return List.of();
    }

    /// Adds what the run lacks of this chain, if the copy can give all of it and there is a place for it.
    private void complete(List<Commit> chain) throws IOException {
        Map<String, Long> places = LostPlaces.of(chain, run, known);
        var missing = new ArrayList<Lost>();
        boolean isOlder = false; // than a checkpoint that the run has
        Deque<Long> last = lastUnreadable();
        for (Commit link : chain.reversed()) {
            if (known.containsKey(link.id())) {
                isOlder = true;
                continue;
            }
            long place = isOlder || last.isEmpty() ? places.getOrDefault(link.id(), 0L) : last.removeLast();
            if ((isOlder && place == 0) || !soundThere.isSound(link)) {
                return;
            }
            missing.add(new Lost(link, place));
        }
        for (Lost lost : missing.reversed()) {
            Commit there = lost.there();
            found.add(lost);
            known.put(there.id(), there.stored(there.number(), there.parent(), lost.position(), there.segments()));
        }
    }
}
