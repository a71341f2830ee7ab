package dev.cairn.store.writing;

import dev.cairn.store.DamagedException;
import dev.cairn.store.check.Soundness;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.PassedOver;
import dev.cairn.store.retention.Candidate;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// What stays and what is removed if only some checkpoints of a run are kept. Changes nothing.
///
/// A parent that a kept checkpoint needs stays. The newest checkpoint that can be restored and all newer ones stay
/// too, and so does every unreadable record with everything before it: a person must judge damage, it may be readable
/// again later, and what it needs is unknown.
///
/// @param since the last fresh start, before which nothing is considered; 0 if there is none
/// @param kept the numbers of the kept records, ascending
/// @param needed those of them that stay only because others need them as parents
/// @param removed the checkpoints to remove, oldest first
public record PrunePlan(long since, List<Long> kept, List<Long> needed, List<Commit> removed) {
    public PrunePlan {
        kept = List.copyOf(kept);
        needed = List.copyOf(needed);
        removed = List.copyOf(removed);
    }

    /// The plan for a retention.
    ///
    /// @param sound whether every byte of a checkpoint's files is intact, without its parents
    /// @throws IOException if this cannot be determined now
    public static PrunePlan of(History history, Retention retention, Instant now, Soundness sound) throws IOException {
        return of(history, retention, now, sound, _ -> false, sound);
    }

    /// The plan if some checkpoints are known to be damaged although their records can be read. Good ones are kept
    /// as if the damaged ones did not exist, and the damaged ones as if they were good, because a person may still
    /// use them. A checkpoint that a start skipped does not count as good either. It stays, with its parents, until
    /// a second check finds it damaged again.
    ///
    /// @param sound whether the newest checkpoint that stays can be relied on
    /// @param bad whether the files of a checkpoint were found damaged, without its parents
    /// @param again the second check, for skipped checkpoints that would be removed
    static PrunePlan of(
            History history, Retention retention, Instant now, Soundness sound, Predicate<Commit> bad, Soundness again)
            throws IOException {
        PassedOver passedOver = PassedOver.of(history);
        Set<Long> places = new TreeSet<>(retention.keep(candidates(history, _ -> true), now));
        places.addAll(retention.keep(
                candidates(history, checkpoint -> !bad.test(checkpoint) && !passedOver.has(checkpoint)), now));
        var wanted = new HashSet<Long>();
        for (Entry entry : history.current()) {
            if (places.contains(entry.position())
                    || (entry instanceof Entry.Intact(Commit checkpoint)
                            && passedOver.has(checkpoint)
                            && again.isWhole(history, checkpoint))) {
                wanted.add(entry.number());
            }
        }
        return of(history, wanted, checkpoint -> !bad.test(checkpoint) && sound.isSound(checkpoint));
    }

    private static List<Candidate> candidates(History history, Soundness good) throws IOException {
        var candidates = new ArrayList<Candidate>();
        for (Entry entry : history.current()) {
            candidates.add(
                    switch (entry) {
                        case Entry.Unreadable unreadable -> Candidate.unreadable(unreadable.number());
                        case Entry.Intact(Commit checkpoint) ->
                            good.isWhole(history, checkpoint)
                                    ? Candidate.good(checkpoint)
                                    : Candidate.damaged(checkpoint);
                    });
        }
        return candidates;
    }

    /// The plan that keeps the records with these numbers.
    ///
    /// @param sound whether a checkpoint's files are intact, without its parents
    /// @throws IOException if this cannot be determined now
    public static PrunePlan of(History history, Set<Long> wanted, Soundness sound) throws IOException {
        var kept = new TreeSet<Long>();
        var chosen = new TreeSet<Long>();
        var checkpoints = new ArrayList<Commit>();
        for (Entry entry : history.current()) {
            switch (entry) {
                case Entry.Unreadable unreadable -> chosen.add(unreadable.number());
                case Entry.Intact(Commit checkpoint) -> checkpoints.add(checkpoint);
            }
        }
        long damaged = history.lastDamaged();
        boolean foundGood = false;
        for (Commit checkpoint : checkpoints.reversed()) {
            boolean mayBeNeeded = checkpoint.position() < damaged;
            if (!foundGood || mayBeNeeded || wanted.contains(checkpoint.number())) {
                chosen.add(checkpoint.number());
                keepWithParents(history, checkpoint, kept);
                foundGood = foundGood || sound.isWhole(history, checkpoint);
            }
        }
        kept.addAll(chosen);
        return new PrunePlan(
                history.lastStart(),
                List.copyOf(kept),
                kept.stream().filter(number -> !chosen.contains(number)).toList(),
                checkpoints.stream()
                        .filter(checkpoint -> !kept.contains(checkpoint.number()))
                        .toList());
    }

    private static void keepWithParents(History history, Commit checkpoint, Set<Long> kept) {
        kept.add(checkpoint.number());
        try {
            history.chain(checkpoint).forEach(link -> kept.add(link.number()));
        } catch (DamagedException broken) {
            // It stays unchanged, for a person to examine. There is no parent to keep.
            return;
        }
    }
}
