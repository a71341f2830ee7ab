package dev.cairn.codec.huffman;

/// A code in the form for encoders: each entry is a long with the bits of the code at the top and their number at the
/// bottom. Appending a symbol is `acc = (acc >>> entry) | entry` and `n += entry` (a shift uses only the lowest six
/// bits).
///
/// The low byte of entries leaves garbage in the accumulator, which never reaches the upper 56 bits. A symbol without a
/// code has the code of the first symbol and the [#MISSING] mark, which is visible in the sum of the lengths.
final class EncodeTable {
    /// Added to the length of a symbol that has no code.
    static final int MISSING = 0x80;

    /// The bits of a sum of entries that lengths and marks can affect.
    static final int LENGTHS_AND_MARKS = 0xFFF;

    /// Codes with a longer mean use so many different pairs that the table of pairs does not stay in the cache.
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

    /// Counts the coded symbols, and returns whether there are enough to justify a table of pairs.
    boolean wantsPairs(int count) {
        symbolsCoded += count;
        return pairsPay && symbolsCoded > SYMBOLS_BEFORE_PAIRS;
    }

    void forgetUse() {
        symbolsCoded = 0;
    }

    /// Fills the table of pairs, with 2^16 entries. The first symbol is the low byte of the index.
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
