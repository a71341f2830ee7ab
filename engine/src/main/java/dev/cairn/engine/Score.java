package dev.cairn.engine;

/// The quality of a model on some examples. The sum of the scores of all parts is the score of the whole.
///
/// @param lossSum the sum of the losses of the examples: cross-entropies, or squared errors of ratings
/// @param correct the number of examples that were classified correctly; 0 for ratings
/// @param count the number of examples
public record Score(double lossSum, long correct, long count) {
    /// The score of no examples.
    public static final Score NONE = new Score(0, 0, 0);

    public Score plus(Score other) {
        return new Score(lossSum + other.lossSum, correct + other.correct, count + other.count);
    }

    public double loss() {
        return lossSum / count;
    }

    public double accuracy() {
        return (double) correct / count;
    }

    /// The root of the mean loss: the RMSE if the loss is the squared error.
    public double rootMeanSquare() {
        return Math.sqrt(loss());
    }
}
