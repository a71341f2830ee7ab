package dev.cairn.checkpoint;

import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.StoreException;
import java.time.Duration;

/// What happened to a run's checkpoints. Nothing fails without one of these.
public sealed interface CheckpointEvent {
    /// A checkpoint can be restored from now on.
    ///
    /// @param stall how long the training waited for it
    /// @param persist how long encoding and writing took beside the training
    /// @param relativeError what is left of the weights' deltas, relative to them; 0 where nothing was lost
    record Committed(Checkpoint checkpoint, Duration stall, Duration persist, double relativeError)
            implements CheckpointEvent {}

    /// A save failed; the run's earlier checkpoints are as they were, and training goes on.
    record SaveFailed(long step, Throwable cause) implements CheckpointEvent {}

    /// A save was due while the one before was still being written.
    record SaveSkipped(long step, long stepInFlight) implements CheckpointEvent {}

    /// A checkpoint was passed over while looking for the newest good one.
    record PassedOver(long number, StoreException reason) implements CheckpointEvent {}

    /// The live state now is that of this checkpoint.
    record Restored(Checkpoint checkpoint, Duration time) implements CheckpointEvent {}

    /// Hears of events, on the training thread or the saving thread, one at a time for each; must be quick.
    interface Listener {
        void on(CheckpointEvent event);
    }
}
