package dev.cairn.plan.time;

/// The interval between saves by the formulas that people use, in seconds of work; none knows the latency of a save,
/// and where the overhead is not small against the mean time between failures they are off.
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

    /// The longest share of time at work, to the first order: √(2C(M − D − R)) − C; M − D − R is what a failure leaves
    /// of the time between two.
    public static double availability(Job job, double mean) {
        double up = mean - job.detection() - job.restart();
        return up <= 0 ? 0 : Math.max(0, Math.sqrt(2 * job.overhead() * up) - job.overhead());
    }

    /// The shortest that keeps the overhead below this share of the work, as CheckFreq has it.
    public static double budget(Job job, double share) {
        if (!(share > 0) || share >= 1) {
            throw new IllegalArgumentException("the budget is a share between 0 and 1: share=" + share);
        }
        return Math.max(job.overhead() / share, job.leastInterval());
    }
}
