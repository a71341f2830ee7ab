package dev.cairn.train;

import org.jspecify.annotations.Nullable;

/// How a training ended.
///
/// @param loss of the last step's batch
/// @param measure what scores are
/// @param score on the test split; after a stop the last one known, or NaN
/// @param bestScore NaN where nothing was scored; of this score and those before
/// @param resumedFromStep null for a fresh start
/// @param weightsSha256 null where the last save was given up: these weights are nowhere
/// @param end why it ended
/// @param saved whether this step is saved, bit for bit, or there was nothing to save
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
        End end,
        boolean saved) {
    /// Why a training ended.
    public sealed interface End {
        /// At its last step.
        record Done() implements End {}

        /// At a goal.
        record Reached() implements End {}

        /// On a notice, before it was done.
        record Stopped() implements End {}

        /// It went wrong at this step, and nothing of that was saved on purpose.
        ///
        /// @param reason for people
        /// @param rollbacks how many times it went back before
        /// @param lastGood the step of the newest checkpoint from before; null where there is none
        record Diverged(
                long step,
                String reason,
                int rollbacks,
                @Nullable Long lastGood) implements End {}
    }

    /// Whether a notice ended it before it was done.
    public boolean stopped() {
        return end instanceof End.Stopped;
    }
}
