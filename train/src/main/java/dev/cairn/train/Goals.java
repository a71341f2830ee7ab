package dev.cairn.train;

import java.util.OptionalDouble;

/// When a training may end before its last step, and what happens if it diverges. Each start chooses its own goals.
///
/// @param loss the maximum loss on the test split
/// @param accuracy the minimum accuracy on the test split
/// @param rmse the maximum error on the test split
/// @param rollback the number of checkpoints to go back if the training diverges; 0 to stop
public record Goals(OptionalDouble loss, OptionalDouble accuracy, OptionalDouble rmse, int rollback) {
    /// Trains to the last step, and stops on divergence.
    public static final Goals NONE =
            new Goals(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), 0);

    boolean areReached(double testLoss, Measure measure, double score) {
        return (loss.isPresent() && testLoss <= loss.getAsDouble())
                || (accuracy.isPresent() && measure == Measure.ACCURACY && score >= accuracy.getAsDouble())
                || (rmse.isPresent() && measure == Measure.RMSE && score <= rmse.getAsDouble());
    }
}
