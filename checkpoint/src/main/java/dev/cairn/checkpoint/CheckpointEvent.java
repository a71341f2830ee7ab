package dev.cairn.checkpoint;

import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
import dev.cairn.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Something that happened to the checkpoints of a run. Every failure is reported as one of these events.
public sealed interface CheckpointEvent {
    /// A checkpoint can be restored from now on.
    ///
    /// @param stall the time that the training waited for it
    /// @param persist the time that encoding and writing took in the background
    /// @param error the error of the stored weights
    /// @param delta how much the weights changed since the checkpoint that it is built on; empty for a base
    record Committed(
            Checkpoint checkpoint, Duration stall, Duration persist, WeightError error, Optional<DeltaExponents> delta)
            implements CheckpointEvent {}

    /// The error of the weights of a lossy checkpoint would be too large. Either it would be larger than the
    /// change since the previous checkpoint, which would then be the better one to go back to, or it would be
    /// larger than the target with every setting. Each remedy is reported once for consecutive checkpoints of
    /// this kind.
    ///
    /// @param error the error, relative to the change since the previous checkpoint
    record TooCoarse(long step, Codec codec, Remedy remedy, double error) implements CheckpointEvent {}

    /// The reaction to a lossy checkpoint whose error is too large.
    enum Remedy {
        /// A finer setting is used, whose error is not larger than the change.
        FINER,
        /// The weights are stored exactly.
        EXACT,
        /// Nothing: the user chose exactly this codec, or the error was found only after encoding.
        NONE
    }

    /// A save failed. The earlier checkpoints of the run are unchanged, and the training continues.
    record SaveFailed(long step, Throwable cause) implements CheckpointEvent {}

    /// A save was due while the previous one was still being written, and the time to wait for it was used up.
    ///
    /// @param stepInFlight the step of the save that is being written
    /// @param soFar the number of skipped saves since the run was opened, including this one
    record SaveSkipped(long step, long stepInFlight, int soFar) implements CheckpointEvent {
        /// Whether to show this one to users: the first, the second, the fourth and so on. If saves take longer
        /// than the time between them, many are skipped.
        public boolean isWorthTelling() {
            return Integer.bitCount(soFar) == 1;
        }
    }

    /// A step is better than all saved ones, but is not saved: the training would wait for saves for more than
    /// this share of its time. Reported once.
    record BestNotSaved(long step, double share) implements CheckpointEvent {}

    /// A save was aborted because it was cancelled, or because an exact save had to come first. The earlier
    /// checkpoints of the run are unchanged.
    record SaveAborted(long step) implements CheckpointEvent {}

    /// A checkpoint with a long chain was rewritten bit for bit, so that reading it needs at most one other
    /// checkpoint.
    ///
    /// @param deltas the number of deltas that a reader had to apply before
    record Merged(Checkpoint checkpoint, int deltas, Duration time) implements CheckpointEvent {}

    /// Checkpoints that are no longer needed were removed.
    record Pruned(List<Checkpoint> checkpoints) implements CheckpointEvent {
        public Pruned {
            checkpoints = List.copyOf(checkpoints);
        }
    }

    /// After the save of this step, merging, removing or other work failed. All checkpoints are
    /// unchanged. The work is tried again after the next save.
    record HousekeepingFailed(long step, Throwable cause) implements CheckpointEvent {}

    /// A file that this checkpoint needs cannot be read or is missing. It may not be possible to restore this
    /// checkpoint and others that need the same file. Nothing more is built on them: the next save, which is due
    /// at once, is a base.
    ///
    /// @param newest the newest checkpoint in doubt
    record ChainInDoubt(Checkpoint newest, Throwable cause) implements CheckpointEvent {}

    /// A checkpoint was passed over in the search for the newest good one.
    ///
    /// @param number the number of its record
    /// @param step empty if its record cannot be read
    record PassedOver(long number, OptionalLong step, StoreException reason) implements CheckpointEvent {}

    /// A file of the run is damaged or missing, and was read bit for bit from what the run, or its copy, has a second
    /// time. Nothing is lost.
    ///
    /// @param source what it was read from, such as `its parity`
    record Healed(DamagedException damage, String source) implements CheckpointEvent {
        /// Damage that a reader met.
        public static Healed of(HealedDamage healed) {
            return new Healed(healed.damage(), healed.source());
        }

        /// A record of the log that was read from its twin.
        public static Healed fromTwin(DamagedException damage) {
            return new Healed(damage, "its twin");
        }

        /// What happened, in one line.
        public String text() {
            return "healed: " + damage.file() + " from " + source;
        }
    }

    /// A damaged file of the run was rewritten bit for bit, and is whole again. Nothing is lost.
    ///
    /// @param source what its bytes were computed from, such as `its parity`
    record Rewritten(DamagedException damage, String source) implements CheckpointEvent {
        /// What happened, in one line.
        public String text() {
            return "rewritten: " + damage.file() + " from " + source + ", whole again";
        }
    }

    /// A check of old files found one that is damaged and does not heal. Reported once for each file.
    record DamageFound(DamagedException damage) implements CheckpointEvent {}

    /// Old files could not be checked or healed. That says nothing about their contents. Reported once until a check
    /// succeeds. It is tried again, and the run itself is unchanged.
    record ScrubFailed(Throwable cause) implements CheckpointEvent {}

    /// This checkpoint was restored into the live state.
    ///
    /// @param dropped whether some of its tensors were not stored, and are now zeros
    record Restored(Checkpoint checkpoint, boolean dropped, Duration time) implements CheckpointEvent {}

    /// Not all of the checkpoint was restored, or not all of the live state was filled, as [Matching#PARTIAL] and
    /// [Matching#WEIGHTS] allow. [Restored] or [Forked] follows.
    record RestoredInPart(Checkpoint checkpoint, StateDifference difference) implements CheckpointEvent {}

    /// A checkpoint of another run was restored into the live state.
    ///
    /// @param run the name of the other run
    /// @param dropped whether some of its tensors were not stored, and are now zeros
    record Forked(String run, Checkpoint checkpoint, boolean dropped, Duration time) implements CheckpointEvent {}

    /// The copy of the run now has the newest checkpoint, with all that it needs.
    ///
    /// @param lag how far the copy is now behind
    record Copied(Checkpoint checkpoint, Duration time, CopyLag lag) implements CheckpointEvent {}

    /// The copy could not be updated. This is reported once until an update succeeds. The update is tried again,
    /// and the run itself is unchanged.
    record CopyFailed(Throwable cause, CopyLag lag) implements CheckpointEvent {}

    /// The copy has newer checkpoints than the run, so the run's own storage must be in an older state. The run
    /// continues from its own checkpoints, and the copy keeps its newer ones.
    ///
    /// @param newest the newest checkpoint of the copy
    record CopyAhead(Checkpoint newest) implements CheckpointEvent {}

    /// A checkpoint of the copy was passed over in the search for one to fetch.
    ///
    /// @param number the number of its record in the copy
    /// @param step empty if its record cannot be read
    record CopyPassedOver(long number, OptionalLong step, StoreException reason) implements CheckpointEvent {}

    /// This checkpoint is damaged or missing in the run. It was fetched from the run's copy, where it is whole.
    record Fetched(Checkpoint checkpoint, Duration time) implements CheckpointEvent {}

    /// Receives events on the training thread and on background threads, one at a time on each. Must return
    /// quickly.
    interface Listener {
        /// Called when something has happened.
        void on(CheckpointEvent event);
    }
}
