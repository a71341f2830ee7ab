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

/// Brings the newest checkpoint of one store of a run, with the parents that it needs, into another, bit for bit. The
/// other is a store of its own, with its own numbers, whole at every instant: what a checkpoint needs is committed
/// before it.
final class CopyRound {
    /// Every removal takes a record, so few are gathered first.
    private static final int WORTH_A_RECORD = 4;

    private static final int MOST_ATTEMPTS = 5;

    private final CheckpointStore from;
    private final CheckpointStore to;
    private final CheckpointWriter writer;
    /// Whether forms were replaced that are there still, perhaps by an attempt that came to nothing.
    private boolean replaced;

    /// @param writer of the store that the checkpoint is brought to
    CopyRound(CheckpointStore from, CheckpointStore to, CheckpointWriter writer) {
        this.from = from;
        this.to = to;
        this.writer = writer;
    }

    /// The checkpoints that make up the run there, oldest first, as far as their records read.
    static List<Commit> checkpoints(History history) {
        return history.current().stream()
                .filter(Entry.Intact.class::isInstance)
                .map(entry -> ((Entry.Intact) entry).checkpoint())
                .toList();
    }

    /// Copies the newest where it is not there yet; where the run is merged or pruned meanwhile, what it has then.
    ///
    /// @return what is there now; empty where the run has no checkpoint
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

    /// The newest of the run.
    ///
    /// @param made how many checkpoints had to be copied for it
    record Copied(Commit newest, int made) {}

    /// Copies what is not there of a chain.
    ///
    /// @param chain the base first
    /// @param good whether one that is there already is as it should be
    /// @return how many were not
    int copy(List<Commit> chain, Soundness good) throws IOException {
        int made = 0;
        Map<String, Commit> known = new HashMap<>();
        checkpoints(to.history()).forEach(checkpoint -> known.put(checkpoint.id(), checkpoint));
        for (Commit link : chain) {
            Commit copied = known.get(link.id());
            // Another parent means that it was merged since.
            if (copied == null || !Objects.equals(copied.parent(), link.parent()) || !good.isSound(copied)) {
                writer.adopt(from, link, copied);
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

    /// What the copy was found to have.
    ///
    /// @param step of the newest that is not ahead; 0 where there is none such
    /// @param ahead those of later steps that this run neither has nor had: somebody else went on with the copy, or
    /// the run itself is an older state of the same
    record Found(long step, List<Commit> ahead) {}

    /// Looks at the copy before anything is done to it.
    ///
    /// @param had ids of what this run had since it was opened, and may have pruned
    /// @throws CommitConflictException where it is the copy of another run
    Found look(Set<String> had) throws IOException {
        History run = from.history();
        History copy = to.history();
        Optional<RunIdentity> identity = RunIdentity.of(run);
        Optional<RunIdentity> other = RunIdentity.of(copy);
        if (identity.isPresent() && other.isPresent() && !identity.equals(other)) {
            throw CommitConflictException.ofAnotherRun();
        }
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

    /// Removes from the copy what the run itself does not have any more, unless the retention keeps it of what the copy
    /// has: a run that lost its disk has little, and then the copy holds the last of their kind.
    ///
    /// @param kept ids of what stays all the same
    void prune(Set<String> kept, Retention retention, Instant now) throws IOException {
        prune(kept, retention, now, WORTH_A_RECORD);
    }

    /// The same for a copy that is full: whatever may go goes.
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
