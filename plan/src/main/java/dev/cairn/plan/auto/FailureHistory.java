package dev.cairn.plan.auto;

/// The number of failures of a run, and its time at work.
///
/// @param uptime seconds at work, all attempts together
public record FailureHistory(long failures, double uptime) {
    /// The history of a run that has just started.
    public static final FailureHistory NONE = new FailureHistory(0, 0);

    public FailureHistory {
        if (failures < 0 || !(uptime >= 0) || Double.isInfinite(uptime)) {
            throw new IllegalArgumentException("impossible history: failures=%d uptime=%s".formatted(failures, uptime));
        }
    }

    /// Returns the history after this much more time at work.
    public FailureHistory after(double seconds) {
        return new FailureHistory(failures, uptime + Math.max(0, seconds));
    }

    /// Returns the history after one more failure.
    public FailureHistory withFailure() {
        return new FailureHistory(failures + 1, uptime);
    }

    /// The mean time between failures, in seconds. The prior counts as if it had been observed.
    ///
    /// @param prior the mean that is assumed before any failure is observed, in seconds
    /// @param weight the number of failures that this assumption counts as
    public double mean(double prior, double weight) {
        return (weight * prior + uptime) / (weight + failures);
    }
}
