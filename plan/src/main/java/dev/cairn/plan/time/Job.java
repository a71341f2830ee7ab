package dev.cairn.plan.time;

/// What a run has to do and what saving and failing cost it, in seconds.
///
/// @param work without saves and failures
/// @param overhead what one save takes from the work
/// @param latency from the start of a save until it can be restored from
/// @param restart from the start of a new attempt until the work goes on
/// @param detection from a failure until a new attempt starts
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

    /// The least work between two saves, so that one is over before the next begins.
    public double leastInterval() {
        return latency - overhead;
    }

    /// The same job in other hands: with so much work.
    public Job withWork(double seconds) {
        return new Job(seconds, overhead, latency, restart, detection);
    }
}
