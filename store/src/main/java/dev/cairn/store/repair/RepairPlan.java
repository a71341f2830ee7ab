package dev.cairn.store.repair;

import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.List;
import java.util.OptionalLong;

/// What it takes to have a damaged run whole again: which checkpoints are lost, which can be read still and must stand
/// alone, and which files go into quarantine. Made without changing anything.
///
/// @param damaged what a verification found, and what a person should know
/// @param lost oldest first
/// @param rerooted what can be restored although something that it needs is damaged: stored anew, standing alone
/// @param reverted newer forms that are damaged, of checkpoints whose older form is there still and good
/// @param quarantined files to be moved, relative to the run
/// @param strays those of them whose numbers no writer ever came to: they go before anything is written, so
/// that a number is left to write under
/// @param since the last fresh start; 0 where there is none
/// @param kept numbers of records since that start which stay, ascending
/// @param remaining how many checkpoints of the run as it is now can be restored afterwards
public record RepairPlan(
        List<DamagedFile> damaged,
        List<Lost> lost,
        List<Rerooted> rerooted,
        List<Commit> reverted,
        List<String> quarantined,
        List<String> strays,
        long since,
        List<Long> kept,
        int remaining) {
    public RepairPlan {
        damaged = List.copyOf(damaged);
        lost = List.copyOf(lost);
        rerooted = List.copyOf(rerooted);
        reverted = List.copyOf(reverted);
        quarantined = List.copyOf(quarantined);
        strays = List.copyOf(strays);
        kept = List.copyOf(kept);
    }

    /// A checkpoint that cannot be restored.
    ///
    /// @param step unknown where its record does not read
    public record Lost(long number, OptionalLong step, String reason) {}

    /// A checkpoint that is to stand alone.
    ///
    /// @param chain what it is read from, the base first
    public record Rerooted(Commit checkpoint, List<Commit> chain) {
        public Rerooted {
            chain = List.copyOf(chain);
        }
    }

    /// Whether there is nothing to do.
    public boolean isNothing() {
        return damaged.isEmpty();
    }

    /// Whether the run would have no checkpoint left: then a person must decide, because a training would begin anew.
    public boolean leavesNothing() {
        return remaining == 0 && lost.stream().anyMatch(checkpoint -> checkpoint.number() > since);
    }
}
