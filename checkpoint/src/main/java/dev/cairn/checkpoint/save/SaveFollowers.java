package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.SaveOutcome;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.function.Consumer;

/// What a run concludes from how its saves end, before anybody is told: when the next is due, which score is the best
/// that is saved, what the copy lacks.
///
/// @param copy told of what there is to copy
public record SaveFollowers(SaveTiming timing, BestSoFar best, Consumer<Commit> copy) {
    void committed(SaveOutcome.Committed saved) {
        timing.committed(saved.stall());
        best.saved(saved.checkpoint());
        copy.accept(saved.checkpoint());
    }

    void failed() {
        timing.failed();
    }
}
