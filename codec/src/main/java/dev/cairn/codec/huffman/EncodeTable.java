package dev.cairn.codec.huffman;

import org.jspecify.annotations.Nullable;

/// A code laid out for the encoder: the bits at the top of a long, their number at the bottom, so that appending a
/// symbol is `acc = (acc >>> entry) | entry` and `n += entry` (a shift looks at the lowest six bits only).
///
/// The low byte of entries is dirt in the accumulator that never gets into the upper 56 bits. A symbol without a code
/// has the
/// first symbol's code and the [#MISSING] mark, which shows in the sum of the lengths.
final class EncodeTable {
    /// Added to the length of a symbol that has no code.
    static final int MISSING = 0x80;

    /// The bits of a sum of entries that lengths and marks can reach.
    static final int LENGTHS_AND_MARKS = 0xFFF;

    /// Codes whose mean is longer than this are spread over so many pairs that the table of pairs does not stay in
    /// cache.
    private static final double PAIRS_UP_TO_BITS = 5.5;

    private static final int SYMBOLS_BEFORE_PAIRS = 1 << 14;

    final CodeTable table;
    final long[] single = new long[256];
    private final boolean pairsPay;
    private long @Nullable [] pairs;
    private long symbolsCoded;

    EncodeTable(CodeTable table) {
        this.table = table;
        this.pairsPay = table.meanBits() <= PAIRS_UP_TO_BITS;
        int[] codes = table.codes();
        for (int s = 0; s < 256; s++) {
            int coded = table.hasCode(s) ? s : table.firstSymbol();
            int bits = table.codeBits(coded);
            single[s] = ((long) codes[coded] << (64 - bits)) | bits | (coded == s ? 0 : MISSING);
        }
    }

    /// The table of pairs, the first symbol in the low byte of the index; null while it would not pay.
    long @Nullable [] pairsFor(int count, PairsPool pool) {
        symbolsCoded += count;
        if (pairs == null && pairsPay && symbolsCoded > SYMBOLS_BEFORE_PAIRS) {
            pairs = pool.take();
            fill(pairs);
        }
        return pairs;
    }

    private void fill(long[] t) {
        for (int second = 0; second < 256; second++) {
            long e = single[second];
            long mark = e & MISSING;
            int bits = (int) e & 63;
            long code = e & -256L;
            int row = second << 8;
            for (int first = 0; first < 256; first++) {
                long f = single[first];
                t[row + first] = ((f & -256L) >>> bits) | code | ((f | mark) & MISSING) | ((f & 63) + bits);
            }
        }
    }

    void release(PairsPool pool) {
        if (pairs != null) {
            pool.give(pairs);
            pairs = null;
        }
    }

    /// Half-megabyte arrays, used again when a table is forgotten.
    static final class PairsPool {
        private long @Nullable [] spare;

        long[] take() {
            long[] taken = spare;
            spare = null;
            return taken == null ? new long[1 << 16] : taken;
        }

        void give(long[] unused) {
            spare = unused;
        }
    }
}
