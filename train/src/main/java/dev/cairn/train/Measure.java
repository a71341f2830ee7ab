package dev.cairn.train;

import dev.cairn.engine.Score;

/// How good a model is on the test split, as one number.
public enum Measure {
    /// The share of images that are classified rightly: the more the better.
    ACCURACY("accuracy", "bestAccuracy"),
    /// The root of the mean squared error of ratings: the less the better.
    RMSE("rmse", "bestRmse");

    private final String label;
    private final String bestLabel;

    Measure(String label, String bestLabel) {
        this.label = label;
        this.bestLabel = bestLabel;
    }

    /// The one of this label.
    ///
    /// @throws IllegalArgumentException if there is none
    public static Measure named(String label) {
        for (Measure measure : values()) {
            if (measure.label.equals(label)) {
                return measure;
            }
        }
        throw new IllegalArgumentException("unknown measure '%s'".formatted(label));
    }

    /// As attributes and documents name it.
    public String label() {
        return label;
    }

    /// As attributes and documents name the best so far.
    public String bestLabel() {
        return bestLabel;
    }

    double of(Score score) {
        return this == ACCURACY ? score.accuracy() : score.rootMeanSquare();
    }

    /// Whether the one is better than the other, of which NaN is the worst.
    boolean isBetter(double one, double other) {
        if (Double.isNaN(other)) {
            return !Double.isNaN(one);
        }
        return this == ACCURACY ? one > other : one < other;
    }
}
