package dev.cairn.plan.auto;

import java.util.Arrays;

/// The most recent measurements of a series. Their median and quantiles ignore single outliers.
final class RecentValues {
    private final double[] values;
    private long count;

    /// @param kept how many measurements are kept
    RecentValues(int kept) {
        this.values = new double[kept];
    }

    void add(double value) {
        values[(int) (count++ % values.length)] = value;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// The number of values ever added.
    long count() {
        return count;
    }

    double median() {
        return quantile(0.5);
    }

    /// The value that this share of the recent values does not exceed.
    double quantile(double share) {
        int known = (int) Math.min(count, values.length);
        double[] sorted = Arrays.copyOf(values, known);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(known - 1L, Math.round(share * (known - 1)))];
    }
}
