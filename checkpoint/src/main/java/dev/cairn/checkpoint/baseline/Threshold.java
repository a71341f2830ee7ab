package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.Selection;

/// Finds, in two passes over scores and without keeping them, the score above which lies as much as a budget allows.
/// Scores are bits of floats that are not negative: their order as integers is that of the floats.
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

    /// After the first pass.
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

    /// After the second pass: all scores above this one fit, with those that equal it they may not.
    int find() {
        int rest = LOW - 1;
        while (rest > 0 && above + low[rest] <= budget) {
            above += low[rest--];
        }
        return (prefix << LOW_BITS) | rest;
    }

    /// How much has a score above that of [#find].
    long above() {
        return above;
    }
}
