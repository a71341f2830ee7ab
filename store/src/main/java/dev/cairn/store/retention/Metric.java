package dev.cairn.store.retention;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// A measure of how good a checkpoint is: an attribute of it, and which way is better.
public record Metric(String name, Direction direction) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._/-]+");
    private static final Pattern LOWER_IS_BETTER = Pattern.compile("loss|error|perplexity|cost|rmse|mae");

    /// What decides where no metric is named: the accuracy or the error on the test split once there is one, the loss
    /// until then.
    public static final List<Metric> USUAL = List.of(
            new Metric("accuracy", Direction.HIGHEST),
            new Metric("rmse", Direction.LOWEST),
            new Metric("loss", Direction.LOWEST));

    /// Which values are the best.
    public enum Direction {
        /// As accuracy.
        HIGHEST,
        /// As loss.
        LOWEST;

        String text() {
            return this == HIGHEST ? "max" : "min";
        }
    }

    public Metric {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a metric's name consists of letters, digits and ._/-, not '" + name + "'");
        }
    }

    /// The metric of this name, the lowest being the best for losses, errors, costs and perplexities, the
    /// highest for all others.
    public static Metric named(String name) {
        boolean lowest = LOWER_IS_BETTER.matcher(name.toLowerCase(Locale.ROOT)).find();
        return new Metric(name, lowest ? Direction.LOWEST : Direction.HIGHEST);
    }

    /// Those that have the metric, the best first; by the first metric of the list that any of them has. Of
    /// equals the oldest comes first: a value is often carried on until it is measured again, and was measured
    /// there.
    ///
    /// @param candidates oldest first
    public static List<Candidate> bestFirst(List<Candidate> candidates, List<Metric> metrics) {
        for (Metric metric : metrics) {
            var measured = new ArrayList<Candidate>(candidates);
            measured.removeIf(candidate -> candidate.metric(metric.name()).isEmpty());
            if (!measured.isEmpty()) {
                measured.sort(metric.order());
                return measured;
            }
        }
        return List.of();
    }

    double of(Candidate candidate) {
        return candidate.metric(name).orElse(Double.NaN);
    }

    private Comparator<Candidate> order() {
        Comparator<Candidate> lowestFirst = Comparator.comparingDouble(this::of);
        return direction == Direction.LOWEST ? lowestFirst : lowestFirst.reversed();
    }
}
