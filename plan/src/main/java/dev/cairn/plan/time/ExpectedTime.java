package dev.cairn.plan.time;

import dev.cairn.plan.time.FailureLaw.Exponential;

/// The exact mean time of a job under random failures, with a save after every interval of work.
///
/// A failure sets the run back to the last finished save. A save finishes `latency` after its start. The failure is
/// detected, then a new attempt restarts and continues the work. It may fail again, also during the restart. Without
/// failures, saves never wait for each other: an interval below [Job#leastInterval] counts as that.
public final class ExpectedTime {
    /// With more parts than this, the recursion for a law with memory takes too long.
    static final int MOST_PARTS_WITH_MEMORY = 8_000;

    /// After this many mean times between failures, the start of the run no longer matters: every later part takes the
    /// same time on average.
    private static final double FORGOTTEN = 10;

    /// Probabilities up to this count as zero.
    private static final double NEVER = 1e-18;

    private ExpectedTime() {}

    /// Returns the mean time, which is infinite if the run would practically never end.
    public static double of(Job job, double interval, FailureLaw law) {
        if (!(interval > 0)) {
            throw new IllegalArgumentException("the interval must be positive: interval=" + interval);
        }
        double used = Math.max(interval, job.leastInterval());
        return switch (law) {
            case Exponential exponential -> withoutMemory(SavedWork.of(job, used), exponential);
            case FailureLaw.Weibull weibull ->
                SavedWork.of(job, used).parts() <= MOST_PARTS_WITH_MEMORY
                        ? withMemory(SavedWork.of(job, used), weibull)
                        : ofManyParts(job, used, weibull);
        };
    }

    /// The sum over all parts. Suppose that a part reaches its save after `first` without a failure, and after `again`
    /// from a restart before it. Such a part takes (1 − e^(−first/M)) · e^(again/M) · (detection + M) on average,
    /// because each part is a renewal.
    private static double withoutMemory(SavedWork work, Exponential law) {
        Job job = work.job();
        long last = work.lastThatCounts();
        double end = work.timeFrom(last);
        if (last == 0) {
            return part(job, law, end, end);
        }
        double toFirst = work.timeToSave(1);
        double usual = part(job, law, work.interval() + job.overhead(), toFirst);
        // When the last save that counts finishes, part of the work after it is already done.
        double ahead = job.latency() - job.overhead();
        return part(job, law, toFirst, toFirst) + (last - 1) * usual + part(job, law, end - ahead, end);
    }

    private static double part(Job job, Exponential law, double first, double again) {
        return -Math.expm1(-first / law.mean())
                * Math.exp((job.restart() + again) / law.mean())
                * (job.detection() + law.mean());
    }

    /// The time of the beginning of the run, plus the long-run mean time of each later part. If even the beginning has
    /// too many parts, several parts become one, with the sum of their overheads. A failure then loses up to half
    /// of such a group too much, which is less than a thousandth of the whole.
    private static double ofManyParts(Job job, double interval, FailureLaw law) {
        double parts = Math.min(
                Math.ceil(job.work() / interval),
                Math.max(MOST_PARTS_WITH_MEMORY, Math.ceil(FORGOTTEN * law.mean() / interval)));
        double beginning = Math.min(job.work(), parts * interval);
        double together = Math.ceil(parts / MOST_PARTS_WITH_MEMORY);
        Job grouped = new Job(
                beginning,
                together * job.overhead(),
                job.latency() + (together - 1) * job.overhead(),
                job.restart(),
                job.detection());
        double rest = (job.work() - beginning) / interval;
        return withMemory(SavedWork.of(grouped, together * interval), law)
                + (rest > 0 ? rest * partInTheLongRun(SavedWork.of(job, interval), law) : 0);
    }

    /// Attempts are renewals, so this is the mean time of an attempt divided by the mean number of saves that it
    /// reaches.
    private static double partInTheLongRun(SavedWork work, FailureLaw law) {
        Job job = work.job();
        double saves = 0;
        int nth = 1;
        while (nth <= MOST_PARTS_WITH_MEMORY) {
            double alive = law.survival(job.restart() + work.timeToSave(nth));
            if (alive <= NEVER) {
                break;
            }
            saves += alive;
            nth++;
        }
        if (nth > MOST_PARTS_WITH_MEMORY) {
            // The rest of the sum as an integral that starts half a part before its first term.
            double step = work.interval() + job.overhead();
            double from = job.restart() + work.timeToSave(nth) - step / 2;
            saves += Math.max(0, law.mean() - law.meanWithin(from)) / step;
        }
        return (job.detection() + law.mean()) / saves;
    }

    /// Recursion backwards from the last save. An attempt that starts at a save ends with a failure, after it has
    /// reached one of the later saves, or at the end of the work. The probability of each depends only on the
    /// distance.
    private static double withMemory(SavedWork work, FailureLaw law) {
        Job job = work.job();
        int last = (int) work.lastThatCounts();
        double[] alive = new double[last + 2];
        int reached = 0;
        while (reached < last && (reached == 0 || alive[reached] > NEVER)) {
            reached++;
            alive[reached] = law.survival(job.restart() + work.timeToSave(reached));
        }
        double[] failed = new double[last + 1];
        for (int save = last; save >= 0; save--) {
            double all = job.restart() + work.timeFrom(save);
            double toTheEnd = law.survival(all);
            double mean = job.detection() + law.meanWithin(all);
            int ahead = last - save;
            for (int nth = 1; nth <= Math.min(ahead, reached); nth++) {
                mean += (alive[nth] - (nth == ahead ? toTheEnd : alive[nth + 1])) * failed[save + nth];
            }
            failed[save] = mean / (ahead == 0 ? toTheEnd : alive[1]);
        }
        return firstAttempt(work, law, last, failed);
    }

    /// The same for the first attempt, which no detection and no restart precede.
    private static double firstAttempt(SavedWork work, FailureLaw law, int last, double[] failed) {
        double all = work.timeFrom(0);
        double mean = law.meanWithin(all);
        double before = 1;
        for (int nth = 0; nth <= last; nth++) {
            double after = law.survival(nth == last ? all : work.timeToSave(nth + 1));
            mean += (before - after) * failed[nth];
            before = after;
        }
        return mean;
    }
}
