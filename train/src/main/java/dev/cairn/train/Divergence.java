package dev.cairn.train;

import java.util.Locale;

/// Notices that a training went wrong: a loss that is no number, or one that exploded.
final class Divergence {
    /// How many times the first loss is an explosion, two steps in a row.
    private static final double EXPLODED = 10;

    /// A loss below it is no measure of what is much.
    private static final double LITTLE = 0.1;

    private double firstLoss = Double.NaN;
    private int bad;

    double firstLoss() {
        return firstLoss;
    }

    /// The run goes on from a state of which the first loss was this; NaN where there was none.
    void restored(double first) {
        firstLoss = first;
        bad = 0;
    }

    /// How many losses in a row, the last one included, were bad.
    int badSteps() {
        return bad;
    }

    /// Takes the next step's loss, and says whether the training has diverged by it.
    boolean by(double loss) {
        if (Double.isNaN(firstLoss)) {
            firstLoss = loss;
        }
        boolean exploded = !(loss <= EXPLODED * Math.max(firstLoss, LITTLE));
        bad = exploded ? bad + 1 : 0;
        return !Double.isFinite(loss) || bad >= 2;
    }

    String describe(double loss) {
        return Double.isFinite(loss)
                ? String.format(Locale.ROOT, "the loss is %.4g, and was %.4g at first", loss, firstLoss)
                : "the loss is no number any more";
    }
}
