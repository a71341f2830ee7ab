package dev.cairn.train;

import java.util.Locale;

/// Detects that a training went wrong: the loss is not a number, or it exploded.
final class Divergence {
    /// A loss above this multiple of the first loss, for two steps in a row, is an explosion.
    private static final double EXPLODED = 10;

    /// The minimum of the loss to compare with: a smaller first loss does not show what is large.
    private static final double LITTLE = 0.1;

    private double firstLoss = Double.NaN;
    private int bad;

    double firstLoss() {
        return firstLoss;
    }

    /// Continues from a state whose first loss was this; NaN if there was none.
    void restored(double first) {
        firstLoss = first;
        bad = 0;
    }

    /// The number of bad losses in a row, including the last one.
    int badSteps() {
        return bad;
    }

    /// Adds the loss of the next step, and returns whether the training has diverged.
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
                ? String.format(Locale.ROOT, "the loss is %.4g; it was %.4g at the start", loss, firstLoss)
                : "the loss is no longer a number";
    }
}
