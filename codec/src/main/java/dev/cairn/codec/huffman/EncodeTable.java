package dev.cairn.codec.huffman;

/// A code laid out for the encoder: the bits at the top of a long, their number at the bottom, so that appending a
/// symbol is `acc = (acc >>> entry) | entry` and `n += entry` (a shift looks at the lowest six bits only).
///
/// The low byte of entries is dirt in the accumulator that never gets into the upper 56 bits. A symbol without a code
/// has the first symbol's code and the [#MISSING] mark, which shows in the sum of the lengths.
final class EncodeTable {
    /// Added to the length of a symbol that has no code.
    static final int MISSING = 0x80;

    /// The bits of a sum of entries that lengths and marks can reach.
    static final int LENGTHS_AND_MARKS = 0xFFF;

    /// Codes whose mean is longer than this are spread over so many pairs that the table of pairs leaves the cache.
    private static final double PAIRS_UP_TO_BITS = 4.0;

    private static final int SYMBOLS_BEFORE_PAIRS = 1 << 17;

    final CodeTable table;
    final long[] single = new long[256];
    private final boolean pairsPay;
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

    /// Counts the symbols coded and says whether there are enough to make the table of pairs for.
    boolean wantsPairs(int count) {
        symbolsCoded += count;
        return pairsPay && symbolsCoded > SYMBOLS_BEFORE_PAIRS;
    }

    void forgetUse() {
        symbolsCoded = 0;
    }

    /// Writes the table of pairs, 2^16 entries, the first symbol in the low byte of the index.
    void fillPairs(long[] pairs) {
        for (int second = 0; second < 256; second++) {
            long e = single[second];
            long mark = e & MISSING;
            int bits = (int) e & 63;
            long code = e & -256L;
            int row = second << 8;
            for (int first = 0; first < 256; first++) {
                long f = single[first];
                pairs[row + first] = ((f & -256L) >>> bits) | code | ((f | mark) & MISSING) | ((f & 63) + bits);
            }
        }
    }
}
