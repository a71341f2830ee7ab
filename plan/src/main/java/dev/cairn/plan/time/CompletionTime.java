package dev.cairn.plan.time;

/// The completion time of a job with a given number of saves, equally spaced, and a known number of failures. As in
/// Koren and Krishna, *Fault-Tolerant Systems*, chapter 6.
///
/// @param saves the number of saves; they divide the work into one more part
public record CompletionTime(Job job, long saves) {
    public CompletionTime {
        if (saves < 0) {
            throw new IllegalArgumentException("the number of saves cannot be negative: saves=" + saves);
        }
    }

    /// Returns the completion time with a save after every interval of work, in seconds, but not at the end.
    public static CompletionTime every(Job job, double interval) {
        if (!(interval > 0)) {
            throw new IllegalArgumentException("the interval must be positive: interval=" + interval);
        }
        return new CompletionTime(job, SavedWork.of(job, interval).parts() - 1);
    }

    /// The work between two saves.
    public double interval() {
        return job.work() / (saves + 1.0);
    }

    /// The time between the ends of two saves, without a failure.
    public double expectedInterval() {
        return interval() + job.overhead();
    }

    /// The time of the whole job without a failure.
    public double withoutFailure() {
        return job.work() + saves * job.overhead();
    }

    /// The time of the whole job with one failure this long after the last save.
    public double withOneFailure(double sinceSave) {
        if (!(sinceSave >= 0)) {
            throw new IllegalArgumentException(
                    "a failure cannot come before the save that is restored: seconds=" + sinceSave);
        }
        return withoutFailure() + sinceSave + job.detection() + job.restart() + (job.latency() - job.overhead());
    }

    /// The time of the whole job with this many failures at the worst moments, each of which loses a whole interval. As
    /// published, it does not include restarts and the cost of failed saves.
    public double worstCase(long failures) {
        return withoutFailure() + failures * interval();
    }

    /// The time that the run may spend again on saves because of these failures, beyond [#worstCase].
    public double repaidOverhead(long failures) {
        return saves == 0 ? 0 : failures * job.overhead();
    }

    /// The number of saves, not rounded, that minimizes [#worstCase].
    public static double idealSaves(Job job, long failures) {
        return Math.max(0, Math.sqrt(failures * job.work() / job.overhead()) - 1);
    }

    /// The completion time with the whole number of saves that minimizes [#worstCase].
    public static CompletionTime best(Job job, long failures) {
        if (!(job.overhead() > 0)) {
            throw new IllegalArgumentException("without overhead, more saves are always better: overhead=0");
        }
        var fewer = new CompletionTime(job, (long) Math.floor(idealSaves(job, failures)));
        var more = new CompletionTime(job, fewer.saves() + 1);
        return fewer.worstCase(failures) <= more.worstCase(failures) ? fewer : more;
    }
}
