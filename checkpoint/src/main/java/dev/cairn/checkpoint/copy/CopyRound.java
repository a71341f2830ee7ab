package dev.cairn.checkpoint.copy;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.StoreException;
import dev.cairn.store.check.Soundness;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.LostPlaces;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Copies the newest checkpoint of one store of a run, with the parents that it needs, into another store, bit for
/// bit. The other store has its own numbers and is valid at all times: what a checkpoint needs is committed before
/// it.
final class CopyRound {
    /// Every removal takes a record, so a few removals are collected first.
    private static final int WORTH_A_RECORD = 4;

    private static final int MOST_ATTEMPTS = 5;

    private final CheckpointStore from;
    private final CheckpointStore to;
    private final CheckpointWriter writer;
    /// Whether replaced forms still exist in the copy, perhaps because of an earlier attempt that failed.
    private boolean replaced;

    /// @param writer the writer of the store that the checkpoint is copied to
    CopyRound(CheckpointStore from, CheckpointStore to, CheckpointWriter writer) {
        this.from = from;
        this.to = to;
        this.writer = writer;
    }

    /// The checkpoints of the run in this history, oldest first, if their records can be read.
    static List<Commit> checkpoints(History history) {
        return history.current().stream()
                .filter(Entry.Intact.class::isInstance)
                .map(entry -> ((Entry.Intact) entry).checkpoint())
                .toList();
    }

    /// Copies the newest checkpoint if it is not there yet. If the run is merged or pruned in the meantime, copies
    /// what it has then.
    ///
    /// @return the newest checkpoint in the copy; empty if the run has no checkpoint
    Optional<Copied> copyNewest() throws IOException {
        for (int attempt = 1; ; attempt++) {
            History history = from.history();
            List<Commit> found = checkpoints(history);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(new Copied(found.getLast(), copy(history.chain(found.getLast()), _ -> true)));
            } catch (StoreException | NoSuchFileException e) {
                if (attempt == MOST_ATTEMPTS || from.history().lastNumber() == history.lastNumber()) {
                    throw e;
                }
            }
        }
    }

    /// The newest checkpoint of the run.
    ///
    /// @param made the number of checkpoints that had to be copied for it
    record Copied(Commit newest, int made) {}

    /// Copies the missing checkpoints of a chain.
    ///
    /// @param chain the checkpoints, starting with the base
    /// @param good checks whether an existing copy is intact
    /// @return the number of checkpoints copied
    int copy(List<Commit> chain, Soundness good) throws IOException {
        int made = 0;
        Map<String, Commit> known = new HashMap<>();
        History there = to.history();
        checkpoints(there).forEach(checkpoint -> known.put(checkpoint.id(), checkpoint));
        Map<String, Long> lost = LostPlaces.of(chain, there, known);
        for (Commit link : chain) {
            Commit copied = known.get(link.id());
            // Another parent means that it was merged since.
            if (copied == null || !Objects.equals(copied.parent(), link.parent()) || !good.isSound(copied)) {
                if (copied == null) {
                    writer.adopt(from, link, lost.getOrDefault(link.id(), 0L));
                } else {
                    writer.adopt(from, link, copied);
                }
                made++;
                replaced |= copied != null;
            }
        }
        if (replaced) {
            writer.removeNeedless();
            replaced = false;
        }
        return made;
    }

    /// The state of the copy.
    ///
    /// @param step the step of the newest checkpoint that is not ahead; 0 if there is none
    /// @param ahead checkpoints of later steps that this run does not have and never had: another process continued
    ///     from the copy, or this run is an older state of the same run
    record Found(long step, List<Commit> ahead) {}

    /// Inspects the copy before anything is changed.
    ///
    /// @param had the ids of the checkpoints that this run had since it was opened, and may have pruned
    /// @throws CommitConflictException if it is the copy of another run
    Found look(Set<String> had) throws IOException {
        History run = from.history();
        History copy = to.history();
        RunIdentity.requireSame(run, copy);
        Set<String> known = new HashSet<>(had);
        long newest = 0;
        for (Commit checkpoint : checkpoints(run)) {
            known.add(checkpoint.id());
            newest = Math.max(newest, checkpoint.step());
        }
        List<Commit> found = checkpoints(copy);
        int common = found.size();
        while (common > 0
                && found.get(common - 1).step() > newest
                && !known.contains(found.get(common - 1).id())) {
            common--;
        }
        return new Found(
                common == 0 ? 0 : found.get(common - 1).step(), List.copyOf(found.subList(common, found.size())));
    }

    /// Removes from the copy the checkpoints that the run no longer has, unless the retention, applied to the copy
    /// alone, keeps them. A run that lost its disk has few checkpoints, and then the copy may hold the only ones.
    ///
    /// @param kept the ids of checkpoints that must stay
    void prune(Set<String> kept, Retention retention, Instant now) throws IOException {
        prune(kept, retention, now, WORTH_A_RECORD);
    }

    /// Removes as much as possible from a copy that is full, by the same rule.
    void makeRoom(Set<String> kept, Retention retention, Instant now) throws IOException {
        prune(kept, retention, now, 1);
    }

    private void prune(Set<String> kept, Retention retention, Instant now, int least) throws IOException {
        Set<String> wanted = new HashSet<>(kept);
        checkpoints(from.history()).forEach(checkpoint -> wanted.add(checkpoint.id()));
        History copied = to.history();
        Set<Long> staying = new HashSet<>();
        Set<Long> unwanted = new HashSet<>();
        for (Commit checkpoint : checkpoints(copied)) {
            (wanted.contains(checkpoint.id()) ? staying : unwanted).add(checkpoint.number());
        }
        if (unwanted.size() < least) {
            return;
        }
        List<Long> ofItsOwn = PrunePlan.of(copied, retention, now, _ -> true).kept();
        staying.addAll(ofItsOwn);
        ofItsOwn.forEach(unwanted::remove);
        if (unwanted.size() >= least && !staying.isEmpty()) {
            writer.prune(staying, now);
        }
    }
}
