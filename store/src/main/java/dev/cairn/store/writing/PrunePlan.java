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

/// What stays and what goes when only some checkpoints of a run are wanted. Changes nothing.
///
/// A parent that a wanted checkpoint needs stays; so does the newest checkpoint that can be restored, all that is
/// newer, and everything that cannot be read, with all that came before it: what is damaged is for a person to
/// judge, it may be readable again tomorrow, and what it needs is not known.
///
/// @param since the last fresh start, which ends what is looked at; 0 where there is none
/// @param kept numbers of records, ascending
/// @param needed those of them that nobody wants, but that others need as parents
/// @param removed oldest first
public record PrunePlan(long since, List<Long> kept, List<Long> needed, List<Commit> removed) {
    public PrunePlan {
        kept = List.copyOf(kept);
        needed = List.copyOf(needed);
        removed = List.copyOf(removed);
    }

    /// The plan for what a retention keeps.
    ///
    /// @param sound whether the files of a checkpoint, without its parents', are as they should be, every byte
    /// @throws IOException where that cannot be told now
    public static PrunePlan of(History history, Retention retention, Instant now, Soundness sound) throws IOException {
        return of(history, retention, now, sound, _ -> false, sound);
    }

    /// The same where some are known to be damaged, though their records read: good ones are kept as if those were not
    /// there, and those as if they were good, for a person may yet make something of them. What a start passed
    /// over is no good one either; it stays, with its parents, until a second look finds it damaged again.
    ///
    /// @param sound whether the newest that stays can be counted on
    /// @param bad whether the files of a checkpoint, without its parents', were found damaged
    /// @param again the second look, asked of what was passed over and would go
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

    /// The plan for these numbers of records.
    ///
    /// @param sound whether the files of a checkpoint, without its parents', are as they should be
    /// @throws IOException where that cannot be told now
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
            // It stays as it is, for a person to look at; there is no parent to keep.
            return;
        }
    }
}
