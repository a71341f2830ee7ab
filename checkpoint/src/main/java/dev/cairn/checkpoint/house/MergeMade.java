package dev.cairn.checkpoint.house;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.store.log.LogRecord.Commit;
import java.time.Duration;

/// A checkpoint that was rewritten because its chain was long.
///
/// @param made the new form
/// @param deltas the number of deltas that its readers had to apply before
record MergeMade(Commit made, int deltas, Duration time) {
    CheckpointEvent asEvent() {
        return new CheckpointEvent.Merged(Checkpoint.of(made), deltas, time);
    }
}
