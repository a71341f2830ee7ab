package dev.cairn.observe.system;

/// Turns a counter that grows into a rate. Not thread-safe.
final class Meter {
    private double total = Double.NaN;
    private long nanos;
    private double rate = Double.NaN;

    /// Returns the growth per second since the call before; NaN if there was none, or if the counter began again.
    double rate(double newTotal, long atNanos) {
        if (atNanos != nanos || Double.isNaN(total)) {
            double growth = newTotal - total;
            rate = growth >= 0 ? growth * 1e9 / (atNanos - nanos) : Double.NaN;
            total = newTotal;
            nanos = atNanos;
        }
        return rate;
    }
}
