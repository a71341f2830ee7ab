package dev.cairn.train;

import dev.cairn.engine.Score;

/// The quality of a model on the test split, as one number.
public enum Measure {
    /// The fraction of images that are classified correctly. Higher is better.
    ACCURACY("accuracy", "bestAccuracy"),
    /// The root of the mean squared error of ratings. Lower is better.
    RMSE("rmse", "bestRmse");

    private final String label;
    private final String bestLabel;

    Measure(String label, String bestLabel) {
        this.label = label;
        this.bestLabel = bestLabel;
    }

    /// Returns the measure with this label.
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

    /// The name in attributes and documents.
    public String label() {
        return label;
    }

    /// The name of the best value so far in attributes and documents.
    public String bestLabel() {
        return bestLabel;
    }

    double of(Score score) {
        return this == ACCURACY ? score.accuracy() : score.rootMeanSquare();
    }

    /// Whether one value is better than the other. NaN is the worst.
    boolean isBetter(double one, double other) {
        if (Double.isNaN(other)) {
            return !Double.isNaN(one);
        }
        return this == ACCURACY ? one > other : one < other;
    }
}
