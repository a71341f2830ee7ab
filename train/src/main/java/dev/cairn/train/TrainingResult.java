package dev.cairn.train;

import dev.cairn.train.steps.Staleness;
import org.jspecify.annotations.Nullable;

/// How a training ended.
///
/// @param loss the loss of the last step's batch
/// @param measure the measure of the scores
/// @param score the score on the test split; after a stop the last known one, or NaN
/// @param bestScore the best of this score and earlier ones; NaN if nothing was scored
/// @param resumedFromStep null for a fresh start
/// @param weightsSha256 null if the last save was abandoned, so that these weights are not stored
/// @param staleness how old the gradients were, with a parameter server
/// @param end why the training ended
/// @param saved whether this step is saved bit for bit, or there was nothing to save
public record TrainingResult(
        long step,
        long epoch,
        double loss,
        Measure measure,
        double score,
        double testLoss,
        double bestScore,
        long bestStep,
        @Nullable Long resumedFromStep,
        @Nullable String weightsSha256,
        Staleness staleness,
        End end,
        boolean saved) {
    /// Why a training ended.
    public sealed interface End {
        /// The training reached its last step.
        record Done() implements End {}

        /// The training reached a goal.
        record Reached() implements End {}

        /// A notice ended the training before its last step.
        record Stopped() implements End {}

        /// The training diverged at this step. The diverged state was deliberately not saved.
        ///
        /// @param reason the reason, for people
        /// @param rollbacks the number of rollbacks before
        /// @param lastGood the step of the newest checkpoint from before the divergence; null if there is none
        record Diverged(
                long step,
                String reason,
                int rollbacks,
                @Nullable Long lastGood) implements End {}
    }

    /// Whether a notice ended the training before it was done.
    public boolean stopped() {
        return end instanceof End.Stopped;
    }
}
