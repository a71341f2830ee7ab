package dev.cairn.codec.huffman;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds the cheapest table for a block: an existing one, or a new one if it is worth its own bytes and the time to
/// make it. Decides from a sample, and counts all symbols only before it makes a table. For one thread.
final class TableChooser {
    /// A new table must save this share of the block plus a number of bits, because making it takes time, here and in
    /// readers. In a set, the table can be used again, so fewer bits are enough. Measured on deltas of weights:
    /// from 60 to 600 bits, sizes change by 0.5 % and the number of tables by a factor of up to six.
    private static final double WORTHWHILE = 0.02;

    private static final int WORTHWHILE_BITS = 300;
    private static final int WORTHWHILE_BITS_OWN = 1000;

    private static final int LEAST_TABLE_BITS = 16;
    private static final int TYPICAL_TABLE_BITS = 400;
    /// The number of recently chosen tables to remember. With a set, only they are tried if one is good enough.
    private static final int RECENT_OWN = 48;

    private static final int RECENT_OF_SET = 6;
    private static final double GOOD_ENOUGH = 1.01;

    private final @Nullable TableSet set;
    private final Histogram histogram = new Histogram();
    private CodeTable[] recent = new CodeTable[0];
    private long expectedBits;

    /// The relative error of the ideal estimate when a new table last turned out not to be worthwhile.
    private double disappointment;

    TableChooser(@Nullable TableSet set) {
        this.set = set;
    }

    /// Returns the sampling interval in eight-byte words. About 2,000 bytes are enough to compare tables.
    static int sampleEvery(int count) {
        // Odd, so that the sample does not stay in the same columns of a matrix.
        return Math.max(1, (Math.min(16, count >>> 11) - 1) | 1);
    }

    /// Returns the table to use for these symbols, of which there is at least one, or null if no table makes them
    /// smaller.
    @Nullable
    CodeTable choose(byte[] symbols, int from, int count) {
        histogram.sample(symbols, from, count, sampleEvery(count));
        return choose(histogram, symbols, from, count);
    }

    /// The same with an existing histogram of the symbols, complete or sampled.
    @Nullable
    CodeTable choose(Histogram sample, byte[] symbols, int from, int count) {
        double scale = (double) count / sample.total();
        double information = scale * sample.huffmanBits();
        CodeTable best = null;
        double bestBits = 8.0 * count;
        for (CodeTable candidate : recent) {
            double bits = bits(candidate, sample, scale);
            if (bits < bestBits) {
                bestBits = bits;
                best = candidate;
            }
        }
        if (set != null && bestBits > information * GOOD_ENOUGH) {
            for (CodeTable candidate : set.candidates()) {
                double bits = bits(candidate, sample, scale);
                if (bits < bestBits) {
                    bestBits = bits;
                    best = candidate;
                }
            }
        }
        double ideal = information + (best == null ? LEAST_TABLE_BITS : TYPICAL_TABLE_BITS);
        disappointment *= 0.99;
        if (ideal * (1 + disappointment) < worthwhile(bestBits, best)) {
            Histogram whole = sample;
            if (sample.total() != count) {
                histogram.countAll(symbols, from, count);
                whole = histogram;
            }
            if (best != null) {
                bestBits = best.costBits(whole.counts()) + (isPresent(best) ? 0 : tableBits(best));
            }
            CodeTable made = CodeTable.ofFrequent(whole.counts());
            double madeBits = made.costBits(whole.counts()) + tableBits(made);
            if (madeBits < worthwhile(bestBits, best)) {
                bestBits = madeBits;
                best = made;
            } else {
                disappointment = Math.max(disappointment, bestBits / ideal - 1);
            }
        }
        expectedBits = (long) bestBits;
        if (best != null) {
            remember(best);
        }
        return best;
    }

    private double bits(CodeTable table, Histogram sample, double scale) {
        return scale * table.sampleBits(sample.counts()) + (isPresent(table) ? 0 : tableBits(table));
    }

    /// Returns a table made for exactly these symbols, for use if a sample was misleading. Returns null if even this
    /// table does not make them smaller.
    @Nullable
    CodeTable makeFor(byte[] symbols, int from, int count) {
        histogram.countAll(symbols, from, count);
        CodeTable made = CodeTable.ofFrequent(histogram.counts());
        expectedBits = made.costBits(histogram.counts()) + (long) tableBits(made);
        return expectedBits < 8L * count ? made : null;
    }

    /// The approximate number of bits with the last choice, including its table if the table must be written.
    long expectedBits() {
        return expectedBits;
    }

    /// Returns the number of bits below which a new table is better than this one, or than none.
    private double worthwhile(double bits, @Nullable CodeTable table) {
        int margin = table == null ? 0 : set == null ? WORTHWHILE_BITS_OWN : WORTHWHILE_BITS;
        return bits * (1 - WORTHWHILE) - margin;
    }

    private boolean isPresent(CodeTable table) {
        return set != null && set.contains(table);
    }

    private static double tableBits(CodeTable table) {
        return 8.0 * (1 + table.serialisedBytes());
    }

    /// Moves the table to the front of the recent tables.
    private void remember(CodeTable table) {
        int at = Arrays.asList(recent).indexOf(table);
        if (at < 0) {
            at = Math.min(recent.length, (set == null ? RECENT_OWN : RECENT_OF_SET) - 1);
            recent = Arrays.copyOf(recent, at + 1);
        }
        System.arraycopy(recent, 0, recent, 1, at);
        recent[0] = table;
    }
}
