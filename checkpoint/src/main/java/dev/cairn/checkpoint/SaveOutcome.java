package dev.cairn.checkpoint;

import java.time.Duration;

/// How a save ended.
public sealed interface SaveOutcome {
    /// The step that was to be saved.
    long step();

    /// Whether the step can be restored from now on.
    boolean isSaved();

    /// The checkpoint is there.
    ///
    /// @param stall how long the training waited for it
    /// @param persist how long encoding and writing took beside the training
    /// @param error what the weights are off
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

    /// The run's newest checkpoint is this step's already, bit for bit.
    record AlreadySaved(long step) implements SaveOutcome {
        @Override
        public boolean isSaved() {
            return true;
        }
    }

    /// It failed; the run's earlier checkpoints are as they were.
    record Failed(long step, Throwable cause) implements SaveOutcome {
        @Override
        public boolean isSaved() {
            return false;
        }
    }

    /// It was cancelled, or given up for another; the run's earlier checkpoints are as they were.
    record Aborted(long step) implements SaveOutcome {
        @Override
        public boolean isSaved() {
            return false;
        }
    }
}
