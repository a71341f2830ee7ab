package dev.cairn.bench;

import java.util.Arrays;

/// The median of some measurements, and an interval that contains the true median with a probability of 95 %. Only the
/// order of the measurements determines the interval.
///
/// @param low the lower end of the interval, one of the measurements
/// @param high the upper end of the interval, one of the measurements
public record Medians(double median, double low, double high) {
    /// Returns the median of these values with its interval.
    ///
    /// @param values at least one, in any order
    public static Medians of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int count = sorted.length;
        double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
        // The number of values below the true median is binomial: 1.96 standard deviations around its mean.
        int rank = Math.max(0, (int) Math.floor((count - 1.96 * Math.sqrt(count)) / 2));
        return new Medians(median, sorted[rank], sorted[count - 1 - rank]);
    }
}
