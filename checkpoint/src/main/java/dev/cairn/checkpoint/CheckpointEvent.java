package dev.cairn.checkpoint;

import dev.cairn.store.StoreException;
import java.time.Duration;
import java.util.List;

/// What happened to a run's checkpoints. Nothing fails without one of these.
public sealed interface CheckpointEvent {
    /// A checkpoint can be restored from now on.
    ///
    /// @param stall how long the training waited for it
    /// @param persist how long encoding and writing took beside the training
    /// @param error what the weights are off
    record Committed(Checkpoint checkpoint, Duration stall, Duration persist, WeightError error)
            implements CheckpointEvent {}

    /// The error of a lossy checkpoint's weights would be larger than the change since the one before,
    /// which then would be the better one to go back to; or larger than the target, with every setting.
    /// Each remedy is told once for a row of such checkpoints.
    ///
    /// @param error that error, relative to the change since the checkpoint before
    record TooCoarse(long step, Codec codec, Remedy remedy, double error) implements CheckpointEvent {}

    /// What is done where the error of a lossy checkpoint is too large.
    enum Remedy {
        /// A finer setting, whose error is no larger than the change.
        FINER,
        /// The weights are stored exactly.
        EXACT,
        /// Nothing: the codec is stored as the user named it, or the error was seen only when it was made.
        NONE
    }

    /// A save failed; the run's earlier checkpoints are as they were, and training goes on.
    record SaveFailed(long step, Throwable cause) implements CheckpointEvent {}

    /// A save was due while the one before was still being written, and there was no patience left to wait for
    /// it.
    ///
    /// @param soFar how many since the run was opened, this one included
    record SaveSkipped(long step, long stepInFlight, int soFar) implements CheckpointEvent {
        /// Whether to tell people of this one: the first, the second, the fourth and so on. Where saves take
        /// longer than what is between them, many are skipped.
        public boolean isWorthTelling() {
            return Integer.bitCount(soFar) == 1;
        }
    }

    /// A step is better than all that were saved, and is not saved: the training would wait for saves for
    /// more than this share of its time. Told once.
    record BestNotSaved(long step, double share) implements CheckpointEvent {}

    /// A save was given up because it was cancelled, or because an exact one had to come first; the run's
    /// earlier checkpoints are as they were.
    record SaveAborted(long step) implements CheckpointEvent {}

    /// A checkpoint with a long chain is stored anew, bit for bit, so that reading it needs one other at most.
    ///
    /// @param deltas how many its readers had to apply before
    record Merged(Checkpoint checkpoint, int deltas, Duration time) implements CheckpointEvent {}

    /// Checkpoints that nothing wants any more are gone.
    record Pruned(List<Checkpoint> checkpoints) implements CheckpointEvent {
        public Pruned {
            checkpoints = List.copyOf(checkpoints);
        }
    }

    /// Merging, removing, or what else follows a commit, failed after the save of this step. All
    /// checkpoints are as they were; it is tried again after the next save.
    record HousekeepingFailed(long step, Throwable cause) implements CheckpointEvent {}

    /// Something that this checkpoint needs does not read or is gone: it, and others that need the same,
    /// may not be restored. Nothing more is built on them: the next save, which is due at once, stands
    /// alone.
    ///
    /// @param newest of those in doubt
    record ChainInDoubt(Checkpoint newest, Throwable cause) implements CheckpointEvent {}

    /// A checkpoint was passed over while looking for the newest good one.
    record PassedOver(long number, StoreException reason) implements CheckpointEvent {}

    /// The live state now is that of this checkpoint.
    ///
    /// @param dropped whether some of its tensors were not stored, and are zeros now
    record Restored(Checkpoint checkpoint, boolean dropped, Duration time) implements CheckpointEvent {}

    /// Not all of the checkpoint was restored, or not all of the live state was filled, as [Matching#PARTIAL]
    /// and [Matching#WEIGHTS] allow; [Restored] or [Forked] follows.
    record RestoredInPart(Checkpoint checkpoint, StateDifference difference) implements CheckpointEvent {}

    /// The live state now is that of this checkpoint of another run, whose name this is.
    ///
    /// @param dropped whether some of its tensors were not stored, and are zeros now
    record Forked(String run, Checkpoint checkpoint, boolean dropped, Duration time) implements CheckpointEvent {}

    /// The newest checkpoint is in the run's copy too, with all that it needs.
    ///
    /// @param lag how far the copy is behind now
    record Copied(Checkpoint checkpoint, Duration time, CopyLag lag) implements CheckpointEvent {}

    /// The copy could not be brought up to date. Told once until it can; it is tried again, and the run
    /// itself is as it was.
    record CopyFailed(Throwable cause, CopyLag lag) implements CheckpointEvent {}

    /// The copy has newer checkpoints than the run, whose own storage must be an older state: the run goes
    /// on from its own, and those of the copy stay there.
    ///
    /// @param newest of the copy
    record CopyAhead(Checkpoint newest) implements CheckpointEvent {}

    /// A checkpoint of the copy was passed over while looking for one to bring here.
    ///
    /// @param number of its record there
    record CopyPassedOver(long number, StoreException reason) implements CheckpointEvent {}

    /// This checkpoint is damaged or gone here; it was brought from the run's copy, where it is whole.
    record Fetched(Checkpoint checkpoint, Duration time) implements CheckpointEvent {}

    /// Hears of events, on the training thread or those beside it, one at a time for each; must be quick.
    interface Listener {
        /// Something happened.
        void on(CheckpointEvent event);
    }
}
