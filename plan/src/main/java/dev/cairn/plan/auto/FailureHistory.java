package dev.cairn.plan.auto;

/// How often a run failed, and in how much time at work.
///
/// @param uptime seconds at work, of all attempts together
public record FailureHistory(long failures, double uptime) {
    /// Of a run that has just begun.
    public static final FailureHistory NONE = new FailureHistory(0, 0);

    public FailureHistory {
        if (failures < 0 || !(uptime >= 0) || Double.isInfinite(uptime)) {
            throw new IllegalArgumentException("impossible history: failures=%d uptime=%s".formatted(failures, uptime));
        }
    }

    /// After so much more time at work.
    public FailureHistory after(double seconds) {
        return new FailureHistory(failures, uptime + Math.max(0, seconds));
    }

    /// After one more failure.
    public FailureHistory withFailure() {
        return new FailureHistory(failures + 1, uptime);
    }

    /// The mean time between failures: what was seen, and what was believed before as if it had been seen.
    ///
    /// @param prior believed before anything was seen, in seconds
    /// @param weight how many failures that belief is worth
    public double mean(double prior, double weight) {
        return (weight * prior + uptime) / (weight + failures);
    }
}
