package dev.cairn.plan.auto;

import java.util.Arrays;

/// The last few of a row of measurements: what is usual of late, whatever single ones were.
final class RecentValues {
    private final double[] values;
    private long count;

    /// @param kept how many count
    RecentValues(int kept) {
        this.values = new double[kept];
    }

    void add(double value) {
        values[(int) (count++ % values.length)] = value;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// How many were ever added.
    long count() {
        return count;
    }

    double median() {
        return quantile(0.5);
    }

    /// The value that this share of them does not exceed.
    double quantile(double share) {
        int known = (int) Math.min(count, values.length);
        double[] sorted = Arrays.copyOf(values, known);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(known - 1L, Math.round(share * (known - 1)))];
    }
}
