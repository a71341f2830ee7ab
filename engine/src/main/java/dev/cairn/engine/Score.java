package dev.cairn.engine;

/// How well a model did on some examples; scores of parts add up to that of the whole.
///
/// @param lossSum of the examples' losses: cross-entropies, or squared errors of ratings
/// @param correct how many were classified rightly; of ratings 0
public record Score(double lossSum, long correct, long count) {
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

    /// The root of the mean squared error, where the loss is that.
    public double rootMeanSquare() {
        return Math.sqrt(loss());
    }
}
