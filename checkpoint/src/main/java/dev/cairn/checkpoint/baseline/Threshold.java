package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.Selection;

/// Finds the score above which the total stays within a budget, in two passes over the scores and without storing
/// them. Scores are the bits of non-negative floats, which have the same order as integers.
final class Threshold {
    private static final int LOW_BITS = 16;
    private static final int LOW = 1 << LOW_BITS;

    private final long[] high = new long[1 << 15];
    private final long[] low = new long[LOW];
    private long budget;
    private long above;
    private int prefix;

    void countHigh(int score, int length, Selection selection, long number) {
        high[score >>> LOW_BITS] += length;
    }

    /// Called after the first pass.
    void enter(long wanted) {
        budget = wanted;
        prefix = high.length - 1;
        while (prefix > 0 && above + high[prefix] <= budget) {
            above += high[prefix--];
        }
    }

    void countLow(int score, int length, Selection selection, long number) {
        if (score >>> LOW_BITS == prefix) {
            low[score & (LOW - 1)] += length;
        }
    }

    /// Called after the second pass. Everything above this score fits; together with the equal scores it may not
    /// fit.
    int find() {
        int rest = LOW - 1;
        while (rest > 0 && above + low[rest] <= budget) {
            above += low[rest--];
        }
        return (prefix << LOW_BITS) | rest;
    }

    /// The total of the scores above that of [#find].
    long above() {
        return above;
    }
}
