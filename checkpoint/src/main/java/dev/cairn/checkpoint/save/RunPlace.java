package dev.cairn.checkpoint.save;

import dev.cairn.store.log.Entry;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.List;

/// Where a training stands in its run, so that what it saves comes after what the run has: a run that has
/// checkpoints is restored, or begun anew by an explicit word, before anything is added to it, and steps never
/// go back but by [Checkpoints#rollBack][dev.cairn.checkpoint.Checkpoints#rollBack]. For the training thread.
public final class RunPlace {
    private static final long UNKNOWN = Long.MIN_VALUE;
    private static final long BEGINNING = -1;

    private final CheckpointStore store;
    private long step;

    /// @param begun whether the run had any record when it was opened
    public RunPlace(CheckpointStore store, boolean begun) {
        this.store = store;
        this.step = begun ? UNKNOWN : BEGINNING;
    }

    /// The state of this step is live, or being saved.
    public void at(long reached) {
        step = reached;
    }

    /// The training begins, and the run has nothing that comes before it.
    public void atBeginning() {
        step = BEGINNING;
    }

    /// Throws where this step must not be saved next; nothing has been written then.
    public void check(long next) throws IOException {
        if (next < 0) {
            throw new IllegalArgumentException("steps are counted from 0 on: step=" + next);
        }
        if (step == UNKNOWN) {
            requireEmpty();
            atBeginning();
        }
        if (next < step) {
            throw new IllegalStateException(
                    ("step %d comes before step %d, where the run is: count on from the step of the checkpoint that was"
                                    + " restored, go back with rollBack, or begin anew with startFresh")
                            .formatted(next, step));
        }
    }

    private void requireEmpty() throws IOException {
        List<Entry> entries = store.currentEntries();
        if (entries.isEmpty()) {
            return;
        }
        String newest = entries.getLast() instanceof Entry.Intact(var checkpoint)
                ? "the newest of step " + checkpoint.step()
                : "the newest of which cannot be read";
        throw new IllegalStateException(
                ("the run has checkpoints (%d, %s) and none was restored: call restoreLatest before the first step, or"
                                + " startFresh to begin anew without them")
                        .formatted(entries.size(), newest));
    }
}
