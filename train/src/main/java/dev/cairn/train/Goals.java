package dev.cairn.train;

import java.util.OptionalDouble;

/// When a training may end before its last step, and what happens where it goes wrong. Each start chooses anew.
///
/// @param loss on the test split, at most
/// @param accuracy on the test split, at least
/// @param rmse on the test split, at most
/// @param rollback where training diverges, how many checkpoints to go back; 0 to stop
public record Goals(OptionalDouble loss, OptionalDouble accuracy, OptionalDouble rmse, int rollback) {
    /// Train to the last step, stop on divergence.
    public static final Goals NONE =
            new Goals(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), 0);

    boolean areReached(double testLoss, Measure measure, double score) {
        return (loss.isPresent() && testLoss <= loss.getAsDouble())
                || (accuracy.isPresent() && measure == Measure.ACCURACY && score >= accuracy.getAsDouble())
                || (rmse.isPresent() && measure == Measure.RMSE && score <= rmse.getAsDouble());
    }
}
