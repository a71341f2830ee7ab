package dev.cairn.codec.huffman;

import dev.cairn.codec.CorruptBlockException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the symbols of a block that [SymbolCoder] coded. Not thread-safe.
final class SymbolDecoder {
    private static final int PARSED_BITS = 8;

    private final @Nullable TableSet set;
    private final HuffmanDecoder decoder = new HuffmanDecoder();
    private final @Nullable CodeTable[] parsed = new CodeTable[1 << PARSED_BITS];
    private byte[] flags = new byte[0];
    private byte[] nonZero = new byte[0];

    /// @param set the tables that blocks name; null if blocks carry their own
    SymbolDecoder(@Nullable TableSet set) {
        this.set = set;
    }

    /// Reads `count` symbols from exactly the bytes `from` to `to`, and stores them starting at index `at`.
    void decode(byte[] bytes, int from, int to, byte[] symbols, int at, int count) throws CorruptBlockException {
        var in = new Bytes.Reader(bytes, from, to);
        int mode = in.unsignedByte();
        switch (mode) {
            case SymbolCoder.STORED -> copy(in, symbols, at, count);
            case SymbolCoder.CODED -> decodePart(bytes, in.at(), to, symbols, at, count);
            case SymbolCoder.SPLIT -> {
                int length = in.varint();
                int start = in.skip(length);
                decodeSplit(bytes, start, start + length, to, symbols, at, count);
            }
            default -> throw new CorruptBlockException(from, "mode=" + mode);
        }
    }

    private void decodeSplit(byte[] bytes, int from, int middle, int to, byte[] symbols, int at, int count)
            throws CorruptBlockException {
        reserveSplit(count);
        int flagCount = ZeroSplit.flagBytes(count);
        decodePart(bytes, from, middle, flags, 0, flagCount);
        if ((count & 7) != 0 && (flags[flagCount - 1] & 0xFF) >>> (count & 7) != 0) {
            throw new CorruptBlockException(from, "flags beyond the last symbol");
        }
        int rest = ZeroSplit.countFlags(flags, flagCount);
        if (rest > 0) {
            decodePart(bytes, middle, to, nonZero, 0, rest);
        } else if (middle != to) {
            throw new CorruptBlockException(middle, "trailing bytes=" + (to - middle));
        }
        ZeroSplit.join(flags, nonZero, symbols, at, count);
    }

    private void reserveSplit(int count) {
        if (nonZero.length < count + ZeroSplit.SLACK) {
            nonZero = new byte[count + ZeroSplit.SLACK];
            flags = new byte[ZeroSplit.flagBytes(count)];
        }
    }

    private void decodePart(byte[] bytes, int from, int to, byte[] symbols, int at, int count)
            throws CorruptBlockException {
        var in = new Bytes.Reader(bytes, from, to);
        int kind = in.unsignedByte();
        if (kind == SymbolCoder.NO_TABLE) {
            copy(in, symbols, at, count);
            return;
        }
        CodeTable table;
        if (kind == SymbolCoder.OWN_TABLE) {
            int length = in.unsignedByte();
            int start = in.skip(length);
            table = parse(bytes, start, start + length);
        } else if (set != null && kind < set.size()) {
            table = set.get(kind);
        } else {
            throw new CorruptBlockException(from, "table index=" + kind + " tables=" + (set == null ? 0 : set.size()));
        }
        decoder.decode(table, bytes, in.at(), to, symbols, at, count);
    }

    private static void copy(Bytes.Reader in, byte[] symbols, int at, int count) throws CorruptBlockException {
        if (in.remaining() != count) {
            throw new CorruptBlockException(in.at(), "bytes=" + in.remaining() + " for symbols=" + count);
        }
        in.copyTo(symbols, at);
    }

    /// Parses a table. A table that occurred in an earlier block is recognised by its bytes.
    private CodeTable parse(byte[] bytes, int from, int to) throws CorruptBlockException {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x9E3779B1;
        }
        int slot = hash >>> (32 - PARSED_BITS);
        CodeTable table = parsed[slot];
        if (table == null || !Arrays.equals(table.serialised(), 0, table.serialisedBytes(), bytes, from, to)) {
            table = CodeTable.parse(bytes, from, to);
            parsed[slot] = table;
        }
        return table;
    }
}
