package dev.cairn.checkpoint.save;

import dev.cairn.store.log.LogRecord.Commit;
import java.time.Duration;
import java.util.function.Consumer;

/// Reacts to the end of a save before the listeners are called: when the next save is due, which score is the best
/// saved one, what the copy lacks.
///
/// @param copy receives the checkpoints to copy
public record SaveFollowers(SaveTiming timing, BestSoFar best, Consumer<Commit> copy) {
    /// @param stall the time that the training waited for the save
    void committed(Commit checkpoint, Duration stall) {
        timing.committed(stall);
        best.saved(checkpoint);
        copy.accept(checkpoint);
    }

    void failed() {
        timing.failed();
    }
}
