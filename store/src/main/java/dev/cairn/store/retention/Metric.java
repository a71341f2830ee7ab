package dev.cairn.store.retention;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// A measure of how good a checkpoint is: the name of an attribute, and whether high or low values are better.
public record Metric(String name, Direction direction) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._/-]+");
    private static final Pattern LOWER_IS_BETTER = Pattern.compile("loss|error|perplexity|cost|rmse|mae");

    /// The metrics used if none is named: the accuracy or the error on the test split if there is one, otherwise
    /// the loss.
    public static final List<Metric> USUAL = List.of(
            new Metric("accuracy", Direction.HIGHEST),
            new Metric("rmse", Direction.LOWEST),
            new Metric("loss", Direction.LOWEST));

    /// Which values are the best.
    public enum Direction {
        /// High values are better, as for accuracy.
        HIGHEST,
        /// Low values are better, as for loss.
        LOWEST;

        String text() {
            return this == HIGHEST ? "max" : "min";
        }
    }

    public Metric {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a metric consists of letters, digits and ._/-, not '" + name + "'");
        }
    }

    /// The metric with this name. The lowest value is the best for losses, errors, costs and perplexities, the
    /// highest for all others.
    public static Metric named(String name) {
        boolean lowest = LOWER_IS_BETTER.matcher(name.toLowerCase(Locale.ROOT)).find();
        return new Metric(name, lowest ? Direction.LOWEST : Direction.HIGHEST);
    }

    /// The candidates that have the metric, the best first. The metric is the first of the list that any candidate
    /// has. Of equal candidates the oldest comes first: a value is often copied to later checkpoints until it is
    /// measured again, so the oldest is the one that was measured.
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
