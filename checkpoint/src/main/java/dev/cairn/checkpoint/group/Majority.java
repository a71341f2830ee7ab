package dev.cairn.checkpoint.group;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Finds those that differ from the majority.
public final class Majority {
    private Majority() {}

    /// The places of the values that differ from more than half of all; all places if no value has a majority; none
    /// if all values are the same.
    public static List<Integer> oddOnes(long[] values) {
        for (long candidate : values) {
            if (Arrays.stream(values).filter(value -> value == candidate).count() * 2 > values.length) {
                return IntStream.range(0, values.length)
                        .filter(place -> values[place] != candidate)
                        .boxed()
                        .toList();
            }
        }
        return IntStream.range(0, values.length).boxed().toList();
    }
}
