package dev.cairn.plan.auto;

import java.util.Locale;

/// An interval between saves, and the reason for it.
///
/// @param interval seconds from the start of one save to the start of the next
/// @param overhead the time that a save takes from the run, in seconds; NaN if none has been measured yet
/// @param latency the time from the start of a save until it can be restored, in seconds; NaN if none has been measured
/// @param meanTimeBetweenFailures the estimate, in seconds
/// @param failures the number of failures observed
/// @param limit what keeps the interval from being shorter
/// @param change why the interval differs from the previous one
public record Decision(
        double interval,
        double overhead,
        double latency,
        double meanTimeBetweenFailures,
        long failures,
        Limit limit,
        Change change) {
    /// What keeps the interval from being shorter.
    public enum Limit {
        /// Nothing: the interval wastes the least time.
        NONE,
        /// The share of time that the user allows for saves.
        BUDGET,
        /// Saves must not overlap.
        LATENCY,
        /// Nothing is known yet.
        UNKNOWN
    }

    /// Why the interval differs from the previous one.
    public enum Change {
        /// There was no interval before, or nothing was measured.
        FIRST,
        /// The cost of a save changed.
        COST,
        /// The estimated failure rate changed.
        FAILURES
    }

    /// The decision as one line of text.
    public String text() {
        if (limit == Limit.UNKNOWN) {
            return String.format(Locale.ROOT, "every %.3g s until the first save has measured the cost", interval);
        }
        String why = switch (limit) {
            case NONE -> "this interval wastes the least time";
            case BUDGET -> "this is the shortest interval that the budget allows";
            case LATENCY -> "saves must not overlap";
            case UNKNOWN -> "nothing is known yet";
        };
        String changed = switch (change) {
            case FIRST -> "first measurement";
            case COST -> "the cost of saves has changed";
            case FAILURES -> "the estimated failure rate has changed";
        };
        return String.format(
                Locale.ROOT,
                "every %.3g s: %s; a save takes %.3g s from the run and is durable after %.3g s; one failure every"
                        + " %.3g h is expected (%d seen); %s",
                interval,
                why,
                overhead,
                latency,
                meanTimeBetweenFailures / 3600,
                failures,
                changed);
    }
}
