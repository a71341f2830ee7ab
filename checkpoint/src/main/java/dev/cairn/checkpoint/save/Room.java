package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.house.Housekeeping;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;

/// The room that a run's storage has left, measured by the state that is saved.
///
/// Deltas are small, but a chain is needed as long as anything of it is wanted: what a retention keeps for
/// a while takes more room than what it asks for. Where room is short, what nobody wants goes at once; and
/// checkpoints that stand alone do with the least: one for each that is wanted, and one that is being
/// written.
public final class Room {
    /// With room for so many states nothing is counted.
    private static final long SURELY_AMPLE = 64;

    /// For the next save, for a merge, and for what gathers until it is removed.
    private static final long LEAST_STATES = 3;

    private final CheckpointStore store;
    private final CheckpointOptions options;
    private final Housekeeping housekeeping;

    public Room(CheckpointStore store, CheckpointOptions options, Housekeeping housekeeping) {
        this.store = store;
        this.options = options;
        this.housekeeping = housekeeping;
    }

    /// How much there is.
    enum Left {
        /// Enough for whatever is saved.
        AMPLE,
        /// What nobody wants has to go before the next save.
        SHORT,
        /// The same, and what is wanted fits where each checkpoint stands alone.
        TIGHT
    }

    /// What is left for the next save, after some was made where it was short.
    ///
    /// @param stateBytes what the tensors take in memory
    /// @param failed whether the last save did: it may have lacked files or a quota, not bytes
    public Left make(long stateBytes, boolean failed) throws IOException {
        if (!failed && left(stateBytes) == Left.AMPLE) {
            return Left.AMPLE;
        }
        housekeeping.makeRoom();
        return left(stateBytes);
    }

    private Left left(long stateBytes) throws IOException {
        long needed = CheckpointWriter.neededBytes(stateBytes);
        long usable = store.usableBytes();
        if (usable / SURELY_AMPLE >= needed) {
            return Left.AMPLE;
        }
        History history = store.history();
        PrunePlan plan = PrunePlan.of(
                history, options.retention(), options.environment().time().now(), _ -> true);
        long taken = 0;
        for (Entry entry : history.current()) {
            taken += entry instanceof Entry.Intact(Commit checkpoint) ? checkpoint.storedBytes() : 0;
        }
        return left(needed, usable, taken, plan.kept().size() - plan.needed().size());
    }

    /// @param needed by one checkpoint that stands alone
    /// @param taken by the run so far
    /// @param wanted how many checkpoints the retention asks for
    static Left left(long needed, long usable, long taken, long wanted) {
        boolean fitAlone = (wanted + 1) * needed <= usable + taken;
        if (usable >= (fitAlone ? wanted + 2 : LEAST_STATES) * needed) {
            return Left.AMPLE;
        }
        return fitAlone ? Left.TIGHT : Left.SHORT;
    }
}
