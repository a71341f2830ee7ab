package dev.cairn.tensorflow.model;

import dev.cairn.engine.Model;
import java.util.List;
import java.util.stream.IntStream;

/// Of which rows the gradients of a model are. Those of a network are of whole weights. Those of a factorization are of
/// the users and items of a batch: a set of rows for two weights each.
///
/// @param sets the number of the set of rows, for each weight; empty if all are whole
public record GradientRows(List<Integer> sets) {
    private static final String USER = "user.";

    public GradientRows {
        sets = List.copyOf(sets);
    }

    public static GradientRows of(Model model) {
        return new GradientRows(
                switch (model) {
                    case Model.Network _ -> List.<Integer>of();
                    case Model.Factorization factors ->
                        factors.parameters().stream()
                                .map(weight -> weight.name().startsWith(USER) ? 0 : 1)
                                .toList();
                });
    }

    /// Whether gradients are of rows.
    public boolean areRows() {
        return !sets.isEmpty();
    }

    /// The number of sets of rows.
    public int count() {
        return (int) sets.stream().distinct().count();
    }

    /// The shape of the gradient of a weight of this shape.
    public long[] shape(List<Long> weight) {
        return IntStream.range(0, weight.size())
                .mapToLong(i -> i == 0 && areRows() ? -1 : weight.get(i))
                .toArray();
    }
}
