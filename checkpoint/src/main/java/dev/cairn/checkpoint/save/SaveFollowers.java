package dev.cairn.checkpoint.save;

import dev.cairn.store.log.LogRecord.Commit;
import java.time.Duration;
import java.util.function.Consumer;

/// What a run concludes from how its saves end, before anybody is told: when the next is due, which score is the best
/// that is saved, what the copy lacks.
///
/// @param copy told of what there is to copy
public record SaveFollowers(SaveTiming timing, BestSoFar best, Consumer<Commit> copy) {
    /// @param stall how long the training waited for it
    void committed(Commit checkpoint, Duration stall) {
        timing.committed(stall);
        best.saved(checkpoint);
        copy.accept(checkpoint);
    }

    void failed() {
        timing.failed();
    }
}
