package dev.cairn.codec.huffman;

import dev.cairn.codec.CorruptBlockException;
import java.util.Arrays;

/// Code tables as bytes: the lengths of the 256 codes, arithmetic-coded with an adaptive model.
///
/// A symbol is two four-bit ids or a byte of flags. Its code is therefore about as long as those of its neighbours in
/// the 16 × 16 grid of symbols. The model codes whether there is a code at all, and then the difference from the mean
/// of the neighbours, all by adaptive binary decisions.
final class TableFormat {
    private static final int SINGLE = 0;
    private static final int LENGTHS = 1;
    private static final int NIBBLES = 2;

    private TableFormat() {}

    static byte[] write(CodeTable table) {
        if (table.isSingle()) {
            return new byte[] {SINGLE, (byte) table.firstSymbol()};
        }
        var out = new BitModel.Writer(LENGTHS);
        code(out, table.lengths().clone());
        byte[] coded = out.toBytes();
        return coded.length > 1 + 128 ? nibbles(table.lengths()) : coded;
    }

    static CodeTable read(byte[] bytes, int from, int to) throws CorruptBlockException {
        var in = new Bytes.Reader(bytes, from, to);
        int kind = in.unsignedByte();
        CodeTable table = switch (kind) {
            case SINGLE -> CodeTable.ofSingle(in.unsignedByte());
            case LENGTHS -> {
                byte[] lengths = new byte[256];
                code(new BitModel.Reader(bytes, in.at(), to), lengths);
                in.skip(in.remaining());
                yield CodeTable.ofLengths(lengths, from);
            }
            case NIBBLES -> CodeTable.ofLengths(lengths(bytes, in.skip(128)), from);
            default -> throw new CorruptBlockException(from, "table kind=" + kind);
        };
        in.expectEnd();
        byte[] own = table.serialised();
        if (!Arrays.equals(own, 0, own.length, bytes, from, to)) {
            throw new CorruptBlockException(from, "table is not in the form that a writer produces");
        }
        return table;
    }

    private static byte[] nibbles(byte[] lengths) {
        byte[] bytes = new byte[1 + 128];
        bytes[0] = NIBBLES;
        for (int i = 0; i < 128; i++) {
            bytes[1 + i] = (byte) (lengths[2 * i] | (lengths[2 * i + 1] << 4));
        }
        return bytes;
    }

    private static byte[] lengths(byte[] bytes, int from) {
        byte[] lengths = new byte[256];
        for (int i = 0; i < 128; i++) {
            lengths[2 * i] = (byte) (bytes[from + i] & 15);
            lengths[2 * i + 1] = (byte) ((bytes[from + i] >>> 4) & 15);
        }
        return lengths;
    }

    /// The same code for both directions: the decisions of a writer return the bit written, those of a reader the bit
    /// read.
    private static void code(BitModel model, byte[] lengths) {
        for (int s = 0; s < 256; s++) {
            int left = (s & 15) > 0 ? lengths[s - 1] : 0;
            int above = s >= 16 ? lengths[s - 16] : 0;
            int neighbours = (left > 0 ? 1 : 0) + (above > 0 ? 1 : 0);
            int expected = neighbours == 2 ? (left + above + 1) >> 1 : left + above;
            int context = neighbours + (neighbours > 0 && expected >= CodeTable.MAX_BITS - 1 ? 3 : 0);
            if (model.decide(context, lengths[s] > 0 ? 1 : 0) == 0) {
                lengths[s] = 0;
                continue;
            }
            if (neighbours == 0) {
                expected = 8;
            }
            lengths[s] = (byte) codeNear(model, 16 + 32 * Math.min(neighbours, 2), expected, lengths[s]);
        }
    }

    /// Codes a length by its distance from the expected length: whether it is equal, then the direction, then the
    /// distance in unary.
    private static int codeNear(BitModel model, int contexts, int expected, int length) {
        if (model.decide(contexts, length == expected ? 1 : 0) == 1) {
            return expected;
        }
        boolean canFall = expected > 1;
        boolean canRise = expected < CodeTable.MAX_BITS;
        boolean rises = canRise && (!canFall || model.decide(contexts + 1, length > expected ? 1 : 0) == 1);
        int step = rises ? 1 : -1;
        int last = rises ? CodeTable.MAX_BITS : 1;
        int base = contexts + (rises ? 2 : 14);
        int value = expected + step;
        while (value != last
                && model.decide(base + Math.min(Math.abs(value - expected), 10), value != length ? 1 : 0) == 1) {
            value += step;
        }
        return value;
    }
}
