package dev.cairn.train.steps;

import dev.cairn.store.Attributes;

/// How old the gradients of a training were. A gradient is as old as the number of updates that were made between
/// the moment at which its worker got the weights and its own update.
///
/// @param gradients the number of gradients that were used
/// @param sum the sum of their ages
/// @param largest the largest of their ages
/// @param dropped the number of gradients that came too late, and were not used
/// @param repeated the number of gradients that were asked for again, because a process died before they came
public record Staleness(long gradients, long sum, long largest, long dropped, long repeated) {
    public static final Staleness NONE = new Staleness(0, 0, 0, 0, 0);

    /// The names of the attributes in which a run keeps it.
    private static final String GRADIENTS = "gradients";

    private static final String SUM = "stalenessSum";
    private static final String LARGEST = "largestStaleness";
    private static final String DROPPED = "staleGradients";
    private static final String REPEATED = "repeatedGradients";

    public Staleness plus(Staleness other) {
        return new Staleness(
                gradients + other.gradients,
                sum + other.sum,
                Math.max(largest, other.largest),
                dropped + other.dropped,
                repeated + other.repeated);
    }

    /// The mean age; 0 if no gradient was used.
    public double mean() {
        return gradients == 0 ? 0 : (double) sum / gradients;
    }

    /// What the attributes of a run say; nothing if they say nothing.
    public static Staleness in(Attributes attributes) {
        return new Staleness(
                attributes.integer(GRADIENTS).orElse(0L),
                attributes.integer(SUM).orElse(0L),
                attributes.integer(LARGEST).orElse(0L),
                attributes.integer(DROPPED).orElse(0L),
                attributes.integer(REPEATED).orElse(0L));
    }

    public Attributes addTo(Attributes attributes) {
        return attributes
                .with(GRADIENTS, gradients)
                .with(SUM, sum)
                .with(LARGEST, largest)
                .with(DROPPED, dropped)
                .with(REPEATED, repeated);
    }
}
