package dev.cairn.plan.auto;

import java.util.Locale;

/// An interval between saves, and why.
///
/// @param interval seconds from the start of one save to the next
/// @param overhead what a save takes from the run, in seconds; NaN where none was measured yet
/// @param latency from the start of a save until it can be restored from, in seconds; NaN likewise
/// @param meanTimeBetweenFailures as estimated, in seconds
/// @param failures how many were seen
/// @param limit what kept it from being shorter
public record Decision(
        double interval,
        double overhead,
        double latency,
        double meanTimeBetweenFailures,
        long failures,
        Limit limit,
        Change change) {
    /// What kept the interval from being shorter.
    public enum Limit {
        /// Nothing: it loses the least time.
        NONE,
        /// The share of time that the user allows for saves.
        BUDGET,
        /// Saves must not overlap.
        LATENCY,
        /// Nothing is known yet.
        UNKNOWN
    }

    /// What made it another than the one before.
    public enum Change {
        /// There was none before, or nothing was measured.
        FIRST,
        /// What a save takes from the run.
        COST,
        /// How often the run fails.
        FAILURES
    }

    /// One line for people.
    public String text() {
        if (limit == Limit.UNKNOWN) {
            return String.format(Locale.ROOT, "every %.3g s until a first save tells what it costs", interval);
        }
        String why = switch (limit) {
            case NONE -> "loses the least time";
            case BUDGET -> "the least that the budget allows";
            case LATENCY -> "saves must not overlap";
            case UNKNOWN -> "nothing is known yet";
        };
        String changed = switch (change) {
            case FIRST -> "first measured";
            case COST -> "saves cost otherwise than before";
            case FAILURES -> "failures come otherwise than believed";
        };
        return String.format(
                Locale.ROOT,
                "every %.3g s: %s, where a save takes %.3g s from the run and is safe after %.3g s, and failures come"
                        + " every %.3g h (%d seen); %s",
                interval,
                why,
                overhead,
                latency,
                meanTimeBetweenFailures / 3600,
                failures,
                changed);
    }
}
