package dev.cairn.plan.time;

import java.util.ArrayList;
import java.util.List;

/// An interval that somebody might choose, and what it would come to.
///
/// @param name `optimum`, or whose formula it is
/// @param interval as it would be used: no shorter than saves take, no longer than the work
/// @param raised whether the formula asked for one so short that saves would overlap
/// @param expected the mean time of the whole job
public record Alternative(String name, double interval, boolean raised, double expected) {
    /// The optimum first, then the formulas.
    ///
    /// @param budget the share of the work that saves may cost, for the rule of that name
    public static List<Alternative> all(Job job, FailureLaw law, double budget) {
        var all = new ArrayList<Alternative>();
        Optimum best = Optimum.of(job, law);
        all.add(new Alternative("optimum", best.interval(), false, best.expected()));
        all.add(of("young", Intervals.young(job, law.mean()), job, law));
        all.add(of("daly-first", Intervals.dalyFirst(job, law.mean()), job, law));
        all.add(of("daly", Intervals.daly(job, law.mean()), job, law));
        all.add(of("availability", Intervals.availability(job, law.mean()), job, law));
        all.add(of("budget", Intervals.budget(job, budget), job, law));
        return all;
    }

    /// One of a name of its own.
    public static Alternative of(String name, double interval, Job job, FailureLaw law) {
        double least = job.leastInterval();
        double used = Math.min(Math.max(Math.max(interval, least), job.work() / Optimum.MOST_PARTS), job.work());
        return new Alternative(name, used, interval < least && least < job.work(), ExpectedTime.of(job, used, law));
    }
}
