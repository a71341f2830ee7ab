package dev.cairn.checkpoint.save;

import dev.cairn.store.log.Entry;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.List;

/// The position of a training in its run. It guarantees that new saves come after the existing ones: a run that has
/// checkpoints must be restored, or explicitly restarted, before anything is added to it. Steps go back only with
/// [Checkpoints#rollBack][dev.cairn.checkpoint.Checkpoints#rollBack]. For the training thread.
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

    /// Notes that the state of this step is live, or is being saved.
    public void at(long reached) {
        step = reached;
    }

    /// Notes that the training starts, and that the run has nothing before it.
    public void atBeginning() {
        step = BEGINNING;
    }

    /// Throws if this step must not be saved next. Nothing has been written then.
    public void check(long next) throws IOException {
        if (next < 0) {
            throw new IllegalArgumentException("steps must not be negative: step=" + next);
        }
        if (step == UNKNOWN) {
            requireEmpty();
            atBeginning();
        }
        if (next < step) {
            throw new IllegalStateException(
                    ("step %d is before step %d, which the run has reached: continue from the step of the checkpoint that was"
                                    + " restored, go back with rollBack, or start over with startFresh")
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
                ("the run has checkpoints (%d, %s) but none was restored: call restoreLatest before the first step, or"
                                + " startFresh to start over without them")
                        .formatted(entries.size(), newest));
    }
}
