package dev.cairn.plan.time;

/// A job cut into equal parts with a save after each but the last, which may be shorter. Saves go on beside the next
/// part.
///
/// @param parts at least 1
/// @param interval work of each part but the last
record SavedWork(Job job, double interval, long parts) {
    /// A remainder smaller than this share of a part is a slip of the numbers, not a part.
    private static final double SLIP = 1e-9;

    static SavedWork of(Job job, double interval) {
        double parts = Math.max(1, Math.ceil(job.work() / interval - SLIP));
        return new SavedWork(job, Math.min(interval, job.work()), (long) Math.min(parts, Long.MAX_VALUE));
    }

    /// From the (re)start at the save of this number (0: the beginning) to the end of the work, without a failure.
    double timeFrom(long save) {
        long left = parts - save;
        return job.work() - save * interval + (left - 1) * job.overhead();
    }

    /// From there until the n-th save that follows, from 1 on, can be restored from.
    double timeToSave(long nth) {
        return nth * interval + (nth - 1) * job.overhead() + job.latency();
    }

    /// The first save after which no other is over before the work is: what fails after it goes back to it.
    long lastThatCounts() {
        long low = 0;
        long high = parts - 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (timeToSave(1) >= timeFrom(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
