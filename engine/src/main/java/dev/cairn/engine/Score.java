package dev.cairn.engine;

/// How well a model did on some examples; scores of parts add up to that of the whole.
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
}
