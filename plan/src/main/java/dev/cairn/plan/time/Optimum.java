package dev.cairn.plan.time;

import dev.cairn.plan.time.FailureLaw.Exponential;

/// The division of a job into equal parts that minimizes [ExpectedTime].
///
/// @param interval the work of each part
/// @param saves the number of saves, one less than the number of parts
/// @param expected the mean time of the whole job
public record Optimum(double interval, long saves, double expected) {
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
    private static final double PRECISION = 1e-4;
    private static final int NEIGHBOURS = 2;

    /// All numbers of parts up to this are tried, because small whole numbers are far apart.
    private static final int FEW = 32;

    /// More parts than any real run has.
    static final double MOST_PARTS = 1e12;

    /// How far from the best interval of the law without memory the search goes, as a logarithm: a factor of 8.
    private static final double MEMORY_MATTERS = Math.log(8);

    /// Returns the best of all intervals that are no shorter than saves take.
    public static Optimum of(Job job, FailureLaw law) {
        return of(job, law, job.leastInterval());
    }

    /// Returns the best of all intervals that are no shorter than this, for example because of a budget.
    public static Optimum of(Job job, FailureLaw law, double atLeast) {
        double shortest = Math.max(Math.max(atLeast, job.leastInterval()), job.work() / MOST_PARTS);
        long mostParts = (long) Math.max(1, Math.floor(job.work() / shortest * (1 + 1e-12)));
        double from = Math.log(job.work() / mostParts);
        double to = Math.log(job.work());
        if (!(law instanceof Exponential)) {
            // A law with memory is slow to evaluate: search near the best interval of the law without memory.
            double near = Math.log(of(job, new Exponential(law.mean()), atLeast).interval);
            from = Math.max(from, near - MEMORY_MATTERS);
            to = Math.min(to, near + MEMORY_MATTERS);
        }
        long parts = Math.clamp(Math.round(job.work() / search(job, law, from, to)), 1, mostParts);
        Optimum best = at(job, law, 1);
        best = best.orBetter(job, law, 2, Math.min(FEW, mostParts));
        return best.orBetter(job, law, Math.max(1, parts - NEIGHBOURS), Math.min(mostParts, parts + NEIGHBOURS));
    }

    private Optimum orBetter(Job job, FailureLaw law, long fromParts, long toParts) {
        Optimum best = this;
        for (long parts = fromParts; parts <= toParts; parts++) {
            Optimum other = at(job, law, parts);
            best = other.expected < best.expected ? other : best;
        }
        return best;
    }

    private static Optimum at(Job job, FailureLaw law, long parts) {
        double interval = job.work() / parts;
        return new Optimum(interval, parts - 1, ExpectedTime.of(job, interval, law));
    }

    /// Golden-section search over the logarithm of the interval, as if the number of parts need not be whole.
    private static double search(Job job, FailureLaw law, double from, double to) {
        double low = from;
        double high = to;
        double left = high - GOLDEN * (high - low);
        double right = low + GOLDEN * (high - low);
        double atLeft = smooth(job, law, left);
        double atRight = smooth(job, law, right);
        while (high - low > PRECISION) {
            // Both may be infinite if hardly any attempt reaches its first save. Then shorter is better.
            if (atLeft <= atRight) {
                high = right;
                right = left;
                atRight = atLeft;
                left = high - GOLDEN * (high - low);
                atLeft = smooth(job, law, left);
            } else {
                low = left;
                left = right;
                atLeft = atRight;
                right = low + GOLDEN * (high - low);
                atRight = smooth(job, law, right);
            }
        }
        return Math.exp((low + high) / 2);
    }

    /// Returns the mean for the nearest whole number of parts. In between, the mean jumps with the length of the last
    /// part.
    private static double smooth(Job job, FailureLaw law, double logInterval) {
        double parts = Math.max(1, Math.rint(job.work() / Math.exp(logInterval)));
        return ExpectedTime.of(job, job.work() / parts, law);
    }
}
