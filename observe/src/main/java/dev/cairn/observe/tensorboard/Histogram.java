package dev.cairn.observe.tensorboard;

import dev.cairn.checkpoint.DeltaExponents;
import java.util.Arrays;
import java.util.Map;

/// How values are distributed: counts in consecutive ranges.
final class Histogram {
    private final Sums sums;
    private final double[] limits;
    private final double[] counts;

    /// @param limits the upper end of each range, rising; the first range begins at the smallest value
    /// @param counts the number of values in each range
    Histogram(Sums sums, double[] limits, double[] counts) {
        this.sums = sums;
        this.limits = limits;
        this.counts = counts;
    }

    /// All values together.
    record Sums(double least, double most, double count, double sum, double squares) {}

    /// One range for each binary exponent, also for those between that have no value.
    static Histogram of(DeltaExponents delta) {
        int first = delta.counts().firstKey();
        int last = delta.counts().lastKey();
        double[] limits = new double[last - first + 1];
        double[] counts = new double[limits.length];
        double count = 0;
        double sum = 0;
        double squares = 0;
        for (Map.Entry<Integer, Double> exponent : delta.counts().entrySet()) {
            double value = exponent.getKey();
            counts[exponent.getKey() - first] = exponent.getValue();
            count += exponent.getValue();
            sum += value * exponent.getValue();
            squares += value * value * exponent.getValue();
        }
        Arrays.setAll(limits, i -> first + i + 1);
        return new Histogram(new Sums(first, last + 1, count, sum, squares), limits, counts);
    }

    /// TensorBoard's message `HistogramProto`.
    Wire message() {
        return new Wire()
                .float64(1, sums.least())
                .float64(2, sums.most())
                .float64(3, sums.count())
                .float64(4, sums.sum())
                .float64(5, sums.squares())
                .float64s(6, limits)
                .float64s(7, counts);
    }
}
