package dev.cairn.codec.huffman;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds the cheapest table for a block: one that is there already, or a new one if that pays for its own bytes and for
/// the time it takes to make. Judges by a sample; counts everything only before making a table. For one thread.
final class TableChooser {
    /// A new table must save this share of the block.
    private static final double WORTHWHILE = 0.02;

    private static final int RECENT = 12;

    private final @Nullable TableSet set;
    private final Histogram histogram = new Histogram();
    private CodeTable[] recent = new CodeTable[0];
    private long expectedBits;

    TableChooser(@Nullable TableSet set) {
        this.set = set;
    }

    /// How many bytes to take the histogram of: enough to tell tables apart by one percent.
    static int sampleEvery(int count) {
        return count >= 1 << 14 ? 8 : count >= 1 << 13 ? 4 : count >= 1 << 12 ? 2 : 1;
    }

    /// The table to use for these symbols, at least one; null where no table makes them smaller.
    @Nullable
    CodeTable choose(byte[] symbols, int from, int count) {
        histogram.sample(symbols, from, count, sampleEvery(count));
        return choose(histogram, symbols, from, count);
    }

    /// The same with a histogram of the symbols, whole or sampled, that is there already.
    @Nullable
    CodeTable choose(Histogram sample, byte[] symbols, int from, int count) {
        double scale = (double) count / sample.total();
        CodeTable best = null;
        double bestBits = 8.0 * count;
        CodeTable[] candidates = set == null ? recent : set.candidates();
        int present = set == null ? 0 : set.size();
        for (int i = 0; i < candidates.length; i++) {
            double bits = scale * candidates[i].sampleBits(sample.counts());
            if (i >= present) {
                bits += tableBits(candidates[i]);
            }
            if (bits < bestBits) {
                bestBits = bits;
                best = candidates[i];
            }
        }
        double newBits = scale * sample.entropyBits() + estimatedTableBits(sample);
        if (newBits < bestBits * (1 - WORTHWHILE)) {
            Histogram whole = sample;
            if (sample.total() != count) {
                histogram.countAll(symbols, from, count);
                whole = histogram;
            }
            if (best != null) {
                bestBits = best.costBits(whole.counts()) + tableBits(best);
            }
            CodeTable made = CodeTable.ofFrequent(whole.counts());
            double madeBits = made.costBits(whole.counts()) + tableBits(made);
            if (madeBits < bestBits * (1 - WORTHWHILE)) {
                bestBits = madeBits;
                best = made;
            }
        }
        expectedBits = (long) bestBits;
        if (best != null && set == null) {
            remember(best);
        }
        return best;
    }

    /// About how many bits the last choice will lead to, its table included where that must be written.
    long expectedBits() {
        return expectedBits;
    }

    private static double tableBits(CodeTable table) {
        return 8.0 * (1 + table.serialisedBytes());
    }

    private static double estimatedTableBits(Histogram sample) {
        int used = 0;
        for (int c : sample.counts()) {
            used += c > 0 ? 1 : 0;
        }
        return 64 + 3.0 * used;
    }

    /// Moves the table to the front of the recent ones.
    private void remember(CodeTable table) {
        int at = Arrays.asList(recent).indexOf(table);
        if (at < 0) {
            at = Math.min(recent.length, RECENT - 1);
            recent = Arrays.copyOf(recent, at + 1);
        }
        System.arraycopy(recent, 0, recent, 1, at);
        recent[0] = table;
    }
}
