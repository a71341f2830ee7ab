package dev.cairn.plan.time;

import java.util.ArrayList;
import java.util.List;

/// An interval that a user might choose, and the expected time with it.
///
/// @param name `optimum`, or the name of the formula
/// @param interval the interval in use: no shorter than a save takes, no longer than the work
/// @param raised whether the formula gave an interval so short that saves would overlap
/// @param expected the mean time of the whole job
public record Alternative(String name, double interval, boolean raised, double expected) {
    /// Returns the optimum first, then the formulas.
    ///
    /// @param budget the share of the work that saves may cost, for the rule `budget`
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

    /// Returns an alternative with a name and an interval of the caller's choice.
    public static Alternative of(String name, double interval, Job job, FailureLaw law) {
        double least = job.leastInterval();
        double used = Math.min(Math.max(Math.max(interval, least), job.work() / Optimum.MOST_PARTS), job.work());
        return new Alternative(name, used, interval < least && least < job.work(), ExpectedTime.of(job, used, law));
    }
}
