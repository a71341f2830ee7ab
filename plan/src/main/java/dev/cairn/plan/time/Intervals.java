package dev.cairn.plan.time;

/// The interval between saves by well-known formulas, in seconds of work. None of them takes the latency of a save into
/// account. They are inaccurate if the overhead is not small compared with the mean time between failures.
public final class Intervals {
    private Intervals() {}

    /// Young 1974: √(2CM).
    public static double young(Job job, double mean) {
        return Math.sqrt(2 * job.overhead() * mean);
    }

    /// Daly 2006, the first order: √(2C(M + R)) − C.
    public static double dalyFirst(Job job, double mean) {
        return Math.max(0, Math.sqrt(2 * job.overhead() * (mean + job.restart())) - job.overhead());
    }

    /// Daly 2006, the higher order.
    public static double daly(Job job, double mean) {
        double cost = job.overhead();
        if (cost >= 2 * mean) {
            return mean;
        }
        double ratio = cost / (2 * mean);
        return Math.sqrt(2 * cost * mean) * (1 + Math.sqrt(ratio) / 3 + ratio / 9) - cost;
    }

    /// The interval with the largest share of time at work, to the first order: √(2C(M − D − R)) − C. M − D − R is the
    /// time between two failures without detection and restart.
    public static double availability(Job job, double mean) {
        double up = mean - job.detection() - job.restart();
        return up <= 0 ? 0 : Math.max(0, Math.sqrt(2 * job.overhead() * up) - job.overhead());
    }

    /// The shortest interval that keeps the overhead below this share of the work, as in CheckFreq.
    public static double budget(Job job, double share) {
        if (!(share > 0) || share >= 1) {
            throw new IllegalArgumentException("the budget must be between 0 and 1: share=" + share);
        }
        return Math.max(job.overhead() / share, job.leastInterval());
    }
}
