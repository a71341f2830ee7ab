package dev.cairn.codec.huffman;

import dev.cairn.codec.CorruptBlockException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A canonical Huffman code over byte symbols, with at most [#MAX_BITS] bits per symbol. Immutable and safe to share.
///
/// A symbol may have no code. Encoders then write it outside the coded stream (a *patch*, about [#PATCH_BITS] bits). So
/// any table can code any bytes, and rare symbols do not make the code longer. The code of a single symbol is empty:
/// 0 bits per symbol.
public final class CodeTable {
    /// The length of the longest code. Compared with 12 bits, measured: 0.1 % more bits, decoding 5 to 15 % faster
    /// (16 KB of decode table in a first-level cache of 32 KB).
    public static final int MAX_BITS = 11;

    /// The cost of a symbol without a code: the gap, the symbol, and the code of the substitute symbol.
    static final int PATCH_BITS = 26;

    private final byte[] lengths;
    private final int[] costs = new int[256];
    private final int usedSymbols;
    private final int firstSymbol;
    private final long id;
    private volatile byte @Nullable [] serialised;
    private volatile @Nullable DecodeTable decodeTable;

    /// `lengths` form a complete code, or contain exactly one symbol, with length 1.
    private CodeTable(byte[] lengths) {
        this.lengths = lengths;
        int used = 0;
        int first = -1;
        long hash = 0xCBF29CE484222325L;
        for (int s = 0; s < 256; s++) {
            if (lengths[s] > 0) {
                used++;
                first = first < 0 || lengths[s] < lengths[first] ? s : first;
            }
            hash = (hash ^ lengths[s]) * 0x100000001B3L;
        }
        for (int s = 0; s < 256; s++) {
            costs[s] = lengths[s] == 0 ? PATCH_BITS : used == 1 ? 0 : lengths[s];
        }
        this.usedSymbols = used;
        this.firstSymbol = first;
        this.id = hash;
    }

    /// Returns the best code for these counts (256 of them, at least one positive). Every counted symbol has a code.
    public static CodeTable of(int[] counts) {
        int used = 0;
        int last = -1;
        for (int s = 0; s < 256; s++) {
            if (counts[s] > 0) {
                used++;
                last = s;
            }
        }
        if (counts.length != 256 || used == 0) {
            throw new IllegalArgumentException("counts=" + counts.length + " positive=" + used);
        }
        return used == 1 ? ofSingle(last) : new CodeTable(CodeLengths.of(counts, MAX_BITS));
    }

    /// Like [#of], but a symbol so rare that patches cost less than its code gets no code.
    public static CodeTable ofFrequent(int[] counts) {
        long total = 0;
        for (int c : counts) {
            total += c;
        }
        // A code of MAX_BITS takes 2^-MAX_BITS of the code space, for which all other symbols pay, and table bytes.
        long spacePrice = ((total * 3) >>> (MAX_BITS + 1)) + 5;
        int[] kept = counts.clone();
        int frequent = 0;
        for (int s = 0; s < 256; s++) {
            if ((long) kept[s] * (PATCH_BITS - MAX_BITS) < spacePrice) {
                kept[s] = 0;
            } else {
                frequent++;
            }
        }
        return of(frequent == 0 ? counts : kept);
    }

    /// Returns the code without bits, in which every symbol is `symbol`.
    public static CodeTable ofSingle(int symbol) {
        byte[] lengths = new byte[256];
        lengths[symbol] = 1;
        return new CodeTable(lengths);
    }

    /// Returns the code with these lengths. They must be within the limit and complete (Kraft's sum exactly 1).
    static CodeTable ofLengths(byte[] lengths, int offset) throws CorruptBlockException {
        int sum = 0;
        int used = 0;
        for (byte length : lengths) {
            if (length < 0 || length > MAX_BITS) {
                throw new CorruptBlockException(offset, "code length=" + length + " limit=" + MAX_BITS);
            }
            if (length > 0) {
                sum += 1 << (MAX_BITS - length);
                used++;
            }
        }
        if (used < 2 || sum != 1 << MAX_BITS) {
            throw new CorruptBlockException(offset, "code is not complete: symbols=" + used + " sum=" + sum);
        }
        return new CodeTable(lengths);
    }

    /// Returns the code in the form for decoders. It is created on first use and shared by all decoders, because a long
    /// chain has more tables than a decoder could keep.
    DecodeTable decodeTable() {
        DecodeTable made = decodeTable;
        if (made == null) {
            made = new DecodeTable(this);
            decodeTable = made;
        }
        return made;
    }

    /// The number of bits that this table needs for symbols with these counts, including patches.
    public long costBits(int[] counts) {
        long sum = 0;
        for (int s = 0; s < 256; s++) {
            sum += (long) counts[s] * costs[s];
        }
        return sum;
    }

    /// The same for a total count of at most 2^26, in int, which the compiler turns into vector instructions.
    int sampleBits(int[] counts) {
        int[] c = costs;
        int sum = 0;
        for (int s = 0; s < 256; s++) {
            sum += counts[s] * c[s];
        }
        return sum;
    }

    /// The length of a symbol's code in bits, or 0 if it has none (and in the table of one symbol).
    public int codeBits(int symbol) {
        return usedSymbols == 1 ? 0 : lengths[symbol];
    }

    boolean hasCode(int symbol) {
        return lengths[symbol] > 0;
    }

    /// The number of symbols that have a code.
    public int usedSymbols() {
        return usedSymbols;
    }

    boolean isSingle() {
        return usedSymbols == 1;
    }

    /// The symbol with the first of the shortest codes. It is the substitute for symbols without a code.
    int firstSymbol() {
        return firstSymbol;
    }

    /// The mean code length if symbols were as frequent as the code assumes.
    double meanBits() {
        double mean = 0;
        for (int s = 0; s < 256; s++) {
            int bits = codeBits(s);
            mean += bits * Math.scalb(1.0, -bits);
        }
        return mean;
    }

    /// Returns the codes with their first bit lowest, as in streams.
    int[] codes() {
        int[] codes = new int[256];
        int next = 0;
        for (int bits = 1; bits <= MAX_BITS; bits++) {
            next <<= 1;
            for (int s = 0; s < 256; s++) {
                if (codeBits(s) == bits) {
                    codes[s] = Integer.reverse(next++) >>> (32 - bits);
                }
            }
        }
        return codes;
    }

    byte[] lengths() {
        return lengths;
    }

    /// A number that is the same for equal tables, in every process and version.
    public long id() {
        return id;
    }

    /// The serialised form; equal tables give equal bytes.
    public byte[] toBytes() {
        return serialised().clone();
    }

    int serialisedBytes() {
        return serialised().length;
    }

    /// Returns the serialised form, created on first use. Two threads may both create it, with the same result.
    byte[] serialised() {
        byte[] made = serialised;
        if (made == null) {
            made = TableFormat.write(this);
            serialised = made;
        }
        return made;
    }

    /// Reads what [#toBytes] wrote, from exactly this range. Rejects anything else.
    public static CodeTable parse(byte[] bytes, int from, int to) throws CorruptBlockException {
        return TableFormat.read(bytes, from, to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CodeTable table && id == table.id && Arrays.equals(lengths, table.lengths);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public String toString() {
        return "CodeTable[symbols=%d meanBits=%.2f id=%016x]".formatted(usedSymbols, meanBits(), id);
    }
}
