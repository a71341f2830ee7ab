package dev.cairn.store.repair;

import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.List;
import java.util.OptionalLong;

/// The plan to repair a damaged run: the checkpoints that are lost, the checkpoints that can still be read and must
/// be rewritten as full checkpoints, and the files that go to quarantine. Planning changes nothing.
///
/// @param damaged the findings of a verification, and what else a person should know
/// @param lost the lost checkpoints, oldest first
/// @param rerooted the checkpoints that can be restored although something that they need is damaged; they are
///     rewritten as full checkpoints
/// @param healed the checkpoints whose files are damaged and can heal themselves; those files are rewritten
/// @param rewritten records and twins of records that are damaged or missing, and whose other place is intact
/// @param reverted damaged newer forms of checkpoints whose older form still exists and is good
/// @param quarantined the files to move, relative to the run
/// @param strays those quarantined files whose numbers no writer ever reached; they are removed before anything is
///     written, so that a number is left to write under
/// @param replaced the numbers of unreadable records whose checkpoints have later records: they were merged, or came
///     back from the copy
/// @param since the last fresh start; 0 if there is none
/// @param kept the numbers of the records since that start that stay, ascending
/// @param remaining the number of checkpoints of the present run that can be restored afterwards
public record RepairPlan(
        List<DamagedFile> damaged,
        List<Lost> lost,
        List<Rerooted> rerooted,
        List<Commit> healed,
        List<String> rewritten,
        List<Commit> reverted,
        List<String> quarantined,
        List<String> strays,
        List<Long> replaced,
        long since,
        List<Long> kept,
        int remaining) {
    public RepairPlan {
        damaged = List.copyOf(damaged);
        lost = List.copyOf(lost);
        rerooted = List.copyOf(rerooted);
        healed = List.copyOf(healed);
        rewritten = List.copyOf(rewritten);
        reverted = List.copyOf(reverted);
        quarantined = List.copyOf(quarantined);
        strays = List.copyOf(strays);
        replaced = List.copyOf(replaced);
        kept = List.copyOf(kept);
    }

    /// A checkpoint that cannot be restored.
    ///
    /// @param step the step; empty if the record cannot be read
    public record Lost(long number, OptionalLong step, String reason) {}

    /// A checkpoint to rewrite as a full checkpoint.
    ///
    /// @param chain the checkpoints that it is read from, starting with the base
    public record Rerooted(Commit checkpoint, List<Commit> chain) {
        public Rerooted {
            chain = List.copyOf(chain);
        }
    }

    /// Whether there is nothing to do.
    public boolean isNothing() {
        return damaged.isEmpty();
    }

    /// Whether the run would have no checkpoint left. Then a person must decide, because a training would start
    /// from scratch.
    public boolean leavesNothing() {
        return remaining == 0 && lost.stream().anyMatch(checkpoint -> checkpoint.number() > since);
    }
}
