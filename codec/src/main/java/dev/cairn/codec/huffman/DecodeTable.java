package dev.cairn.codec.huffman;

/// A code in the form for decoders: for each value of the next eleven bits, all symbols that end within them, up to
/// six.
final class DecodeTable {
    static final int INDEX_MASK = (1 << CodeTable.MAX_BITS) - 1;
    static final int MOST_SYMBOLS = 6;

    /// The number of bits used in bits 0–7 (a shift uses only the lowest six), the symbols in bits 8–55, the number of
    /// symbols in bits 56–63.
    final long[] entries = new long[INDEX_MASK + 1];

    /// Only the first symbol: `symbol << 8 | bits`.
    final char[] first = new char[INDEX_MASK + 1];

    DecodeTable(CodeTable table) {
        int[] codes = table.codes();
        for (int s = 0; s < 256; s++) {
            int bits = table.codeBits(s);
            if (bits > 0) {
                for (int i = codes[s]; i <= INDEX_MASK; i += 1 << bits) {
                    first[i] = (char) ((s << 8) | bits);
                }
            }
        }
        for (int i = 0; i <= INDEX_MASK; i++) {
            int used = 0;
            int count = 0;
            long symbols = 0;
            while (count < MOST_SYMBOLS) {
                int next = first[i >>> used];
                int bits = used + (next & 0xFF);
                if (bits > CodeTable.MAX_BITS) {
                    break;
                }
                symbols |= (long) (next >>> 8) << (8 * count);
                used = bits;
                count++;
            }
            entries[i] = ((long) count << 56) | (symbols << 8) | used;
        }
    }
}
