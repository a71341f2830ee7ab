package dev.cairn.plan.time;

/// A job divided into equal parts, with a save after each part but the last. The last part may be shorter. A save runs
/// beside the next part.
///
/// @param interval the work of each part but the last
/// @param parts the number of parts, at least 1
record SavedWork(Job job, double interval, long parts) {
    /// A remainder smaller than this share of a part is a rounding error, not a part.
    private static final double SLIP = 1e-9;

    static SavedWork of(Job job, double interval) {
        double parts = Math.max(1, Math.ceil(job.work() / interval - SLIP));
        return new SavedWork(job, Math.min(interval, job.work()), (long) Math.min(parts, Long.MAX_VALUE));
    }

    /// The time from the (re)start at the save of this number (0: the beginning) to the end of the work, without a
    /// failure.
    double timeFrom(long save) {
        long left = parts - save;
        return job.work() - save * interval + (left - 1) * job.overhead();
    }

    /// The time from such a start until the n-th save after it can be restored. The first is number 1.
    double timeToSave(long nth) {
        return nth * interval + (nth - 1) * job.overhead() + job.latency();
    }

    /// The first save after which no other save finishes before the work does. Later failures go back to this save.
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
