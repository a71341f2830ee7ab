package dev.cairn.plan.time;

/// The work of a run and the costs of its saves and failures, in seconds.
///
/// @param work the time of the work without saves and failures
/// @param overhead the time that one save takes from the work
/// @param latency the time from the start of a save until it can be restored
/// @param restart the time from the start of a new attempt until the work continues
/// @param detection the time from a failure until a new attempt starts
public record Job(double work, double overhead, double latency, double restart, double detection) {
    public Job {
        check("work", work, work > 0);
        check("overhead", overhead, overhead >= 0);
        check("restart", restart, restart >= 0);
        check("detection", detection, detection >= 0);
        if (!(latency >= overhead) || Double.isInfinite(latency)) {
            throw new IllegalArgumentException(
                    "the latency of a save cannot be less than its overhead: latency=%s overhead=%s"
                            .formatted(latency, overhead));
        }
    }

    private static void check(String what, double seconds, boolean right) {
        if (!right || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException("impossible time: %s=%s seconds".formatted(what, seconds));
        }
    }

    /// The minimum work between two saves, so that one finishes before the next starts.
    public double leastInterval() {
        return latency - overhead;
    }

    /// With this much work, in seconds.
    public Job withWork(double seconds) {
        return new Job(seconds, overhead, latency, restart, detection);
    }
}
