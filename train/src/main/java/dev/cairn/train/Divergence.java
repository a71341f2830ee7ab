package dev.cairn.train;

import java.util.Locale;

/// Notices that a training went wrong: a loss that is no number, or one that exploded.
final class Divergence {
    /// How many times the first loss is an explosion, two steps in a row.
    private static final double EXPLODED = 10;

    private double firstLoss = Double.NaN;
    private int high;

    double firstLoss() {
        return firstLoss;
    }

    /// The run goes on from a state of which the first loss was this; NaN where there was none.
    void restored(double first) {
        firstLoss = first;
        high = 0;
    }

    /// Takes the next step's loss, and says whether the training has diverged by it.
    boolean by(double loss) {
        if (!Double.isFinite(loss)) {
            return true;
        }
        if (Double.isNaN(firstLoss)) {
            firstLoss = loss;
        }
        high = loss > EXPLODED * Math.max(firstLoss, 0.1) ? high + 1 : 0;
        return high >= 2;
    }

    String describe(double loss) {
        return Double.isFinite(loss)
                ? String.format(Locale.ROOT, "the loss is %.4g, and was %.4g at first", loss, firstLoss)
                : "the loss is no number any more";
    }
}
