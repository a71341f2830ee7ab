package dev.cairn.checkpoint;

import java.time.Duration;

/// How a save ended.
public sealed interface SaveOutcome {
    /// The step of the save.
    long step();

    /// Whether the step can be restored from now on.
    boolean isSaved();

    /// The checkpoint was committed.
    ///
    /// @param stall the time that the training waited for it
    /// @param persist the time that encoding and writing took in the background
    /// @param error the error of the stored weights
    record Committed(Checkpoint checkpoint, Duration stall, Duration persist, WeightError error)
            implements SaveOutcome {
        @Override
        public long step() {
            return checkpoint.step();
        }

        @Override
        public boolean isSaved() {
            return true;
        }
    }

    /// The newest checkpoint of the run already has this step, bit for bit.
    record AlreadySaved(long step) implements SaveOutcome {
        @Override
        public boolean isSaved() {
            return true;
        }
    }

    /// The save failed. The earlier checkpoints of the run are unchanged.
    record Failed(long step, Throwable cause) implements SaveOutcome {
        @Override
        public boolean isSaved() {
            return false;
        }
    }

    /// The save was cancelled, or aborted in favour of another one. The earlier checkpoints of the run are
    /// unchanged.
    record Aborted(long step) implements SaveOutcome {
        @Override
        public boolean isSaved() {
            return false;
        }
    }
}
