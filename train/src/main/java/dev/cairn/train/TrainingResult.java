package dev.cairn.train;

import org.jspecify.annotations.Nullable;

/// How a run stands at its end.
///
/// @param epoch passes over the training data completed
/// @param loss of the last step's batch
/// @param accuracy on the test split; after a stop the last one known, or NaN
/// @param resumedFromStep null for a fresh start
/// @param bestAccuracy NaN where nothing was scored; of this score and those every
///     [TrainingSettings#EVALUATE_EVERY] steps before
/// @param weightsSha256 null where the last save was given up: these weights are nowhere
/// @param stopped whether a notice ended it before it was done
/// @param saved whether this step is saved, bit for bit, or there was nothing to save
public record TrainingResult(
        long step,
        long epoch,
        double loss,
        double accuracy,
        double testLoss,
        double bestAccuracy,
        long bestStep,
        @Nullable Long resumedFromStep,
        @Nullable String weightsSha256,
        boolean stopped,
        boolean saved) {}
