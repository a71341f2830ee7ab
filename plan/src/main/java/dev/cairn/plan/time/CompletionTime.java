package dev.cairn.plan.time;

/// How long a job takes that is saved a number of times at equal distances, and fails a known number of times. As
/// in Koren and Krishna, *Fault-Tolerant Systems*, chapter 6.
///
/// @param saves how many there are; they cut the work into one part more
public record CompletionTime(Job job, long saves) {
    public CompletionTime {
        if (saves < 0) {
            throw new IllegalArgumentException("the number of saves cannot be negative: saves=" + saves);
        }
    }

    /// With a save after each so many seconds of work, but not at the end.
    public static CompletionTime every(Job job, double interval) {
        if (!(interval > 0)) {
            throw new IllegalArgumentException("the interval must be positive: interval=" + interval);
        }
        return new CompletionTime(job, SavedWork.of(job, interval).parts() - 1);
    }

    /// Work between two saves.
    public double interval() {
        return job.work() / (saves + 1.0);
    }

    /// Between the ends of two saves, without a failure.
    public double expectedInterval() {
        return interval() + job.overhead();
    }

    /// Without a failure.
    public double withoutFailure() {
        return job.work() + saves * job.overhead();
    }

    /// With one failure this long after the last save.
    public double withOneFailure(double sinceSave) {
        if (!(sinceSave >= 0)) {
            throw new IllegalArgumentException(
                    "a failure cannot come before the save it goes back to: seconds=" + sinceSave);
        }
        return withoutFailure() + sinceSave + job.detection() + job.restart() + (job.latency() - job.overhead());
    }

    /// With so many failures at the worst moments, each of which takes a whole interval, as published: restarts and
    /// what a failed save had cost are not in it.
    public double worstCase(long failures) {
        return withoutFailure() + failures * interval();
    }

    /// What these failures may make the run pay again for saves, beyond [#worstCase].
    public double repaidOverhead(long failures) {
        return saves == 0 ? 0 : failures * job.overhead();
    }

    /// The number of saves, not whole, that makes [#worstCase] least.
    public static double idealSaves(Job job, long failures) {
        return Math.max(0, Math.sqrt(failures * job.work() / job.overhead()) - 1);
    }

    /// The whole number of saves that makes [#worstCase] least.
    public static CompletionTime best(Job job, long failures) {
        if (!(job.overhead() > 0)) {
            throw new IllegalArgumentException("without overhead more saves are always better: overhead=0");
        }
        var fewer = new CompletionTime(job, (long) Math.floor(idealSaves(job, failures)));
        var more = new CompletionTime(job, fewer.saves() + 1);
        return fewer.worstCase(failures) <= more.worstCase(failures) ? fewer : more;
    }
}
