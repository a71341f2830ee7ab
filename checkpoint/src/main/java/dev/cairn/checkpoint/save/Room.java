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

/// The free space on a run's storage, relative to the size of the saved state.
///
/// Deltas are small, but a chain is needed as long as any part of it is kept. So for a while a run takes more space
/// than the checkpoints that retention asks for. If space is short, checkpoints that retention does not keep are
/// removed at once. Bases need the least space: one for each checkpoint that is kept, and one that is being written.
public final class Room {
    /// If there is space for this many states, nothing is counted.
    private static final long SURELY_AMPLE = 64;

    /// Space for the next save, for a merge, and for the checkpoints that collect until they are removed.
    private static final long LEAST_STATES = 3;

    private final CheckpointStore store;
    private final CheckpointOptions options;
    private final Housekeeping housekeeping;

    public Room(CheckpointStore store, CheckpointOptions options, Housekeeping housekeeping) {
        this.store = store;
        this.options = options;
        this.housekeeping = housekeeping;
    }

    /// How much space is left.
    enum Left {
        /// Enough for every save.
        AMPLE,
        /// Checkpoints that retention does not keep must be removed before the next save.
        SHORT,
        /// As `SHORT`, and the kept checkpoints fit if each is a base.
        TIGHT
    }

    /// Frees space if it is short, and returns what is left for the next save.
    ///
    /// @param stateBytes the size of the tensors in memory
    /// @param failed whether the last save failed: it may have lacked files or a quota, not bytes
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

    /// @param needed the space of one base
    /// @param taken the space of the run so far
    /// @param wanted the number of checkpoints that retention asks for
    static Left left(long needed, long usable, long taken, long wanted) {
        boolean fitAlone = (wanted + 1) * needed <= usable + taken;
        if (usable >= (fitAlone ? wanted + 2 : LEAST_STATES) * needed) {
            return Left.AMPLE;
        }
        return fitAlone ? Left.TIGHT : Left.SHORT;
    }
}
