package dev.cairn.train;

import org.jspecify.annotations.Nullable;

/// How a run stands at its end.
///
/// @param epoch passes over the training data completed
/// @param loss of the last step's batch
/// @param accuracy on the test split
/// @param resumedFromStep null for a fresh start
/// @param bestAccuracy of this score and those every [TrainingSettings#EVALUATE_EVERY] steps before
/// @param stopped whether a stop was asked for before the last step
public record TrainingResult(
        long step,
        long epoch,
        double loss,
        double accuracy,
        double testLoss,
        double bestAccuracy,
        long bestStep,
        @Nullable Long resumedFromStep,
        String weightsSha256,
        boolean stopped) {}
