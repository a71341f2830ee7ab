package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Processes one element after the other. Not thread-safe: memory is copied into arrays first, which is faster than
/// reading it number by number.
final class ScalarDifferences implements DifferenceKernels {
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int LANE_MASK = LaneBits.LANES - 1;

    private int[] wanted = new int[LaneBits.LANES];
    private int[] references = new int[LaneBits.LANES];

    @Override
    public void split(MemorySegment u, MemorySegment r, int count, int floor, byte[] symbols, LaneBits bits) {
        split(u, r, 0, count, floor, symbols, bits);
    }

    /// Splits elements from `from`, the first of a row, to `to`. The last row comes first, and the lanes of a row come
    /// in order, as a reader takes words.
    void split(MemorySegment u, MemorySegment r, int from, int to, int floor, byte[] symbols, LaneBits bits) {
        int count = to - from;
        reserve(count);
        MemorySegment.copy(u, BITS, 4L * from, wanted, 0, count);
        MemorySegment.copy(r, BITS, 4L * from, references, 0, count);
        for (int row = (count - 1) & ~LANE_MASK; row >= 0; row -= LaneBits.LANES) {
            int rowEnd = Math.min(row + LaneBits.LANES, count);
            for (int i = row; i < rowEnd; i++) {
                int number = folded(wanted[i], references[i]);
                int length = Math.max(31 - Integer.numberOfLeadingZeros(number), 0);
                symbols[from + i] = (byte) (number == 0 ? 0 : length + 1 + scale(references[i], floor));
                bits.push(i & LANE_MASK, number & ((1 << length) - 1), length);
            }
        }
        MemorySegment.copy(wanted, 0, r, BITS, 4L * from, count);
    }

    @Override
    public boolean join(byte[] symbols, LaneBits bits, int count, int floor, MemorySegment r) {
        return join(symbols, bits, 0, count, floor, r);
    }

    /// Joins elements from `from`, the first of a row, to `to`.
    boolean join(byte[] symbols, LaneBits bits, int from, int to, int floor, MemorySegment r) {
        int count = to - from;
        reserve(count);
        MemorySegment.copy(r, BITS, 4L * from, references, 0, count);
        boolean sound = true;
        for (int row = 0; row < count && sound; row += LaneBits.LANES) {
            sound = joinRow(symbols, bits, row, Math.min(row + LaneBits.LANES, count), from, floor);
        }
        MemorySegment.copy(references, 0, r, BITS, 4L * from, count);
        return sound;
    }

    /// Joins the lanes from the last to the first, which is the order of their words when read from the end.
    private boolean joinRow(byte[] symbols, LaneBits bits, int row, int rowEnd, int from, int floor) {
        if (!bits.hasRow()) {
            return false;
        }
        int wrong = 0;
        for (int i = rowEnd - 1; i >= row; i--) {
            int symbol = symbols[from + i] & 0xff;
            int reference = references[i];
            int length = symbol == 0 ? 0 : symbol - scale(reference, floor) - 1;
            wrong |= length;
            int string = bits.pull(i & LANE_MASK, length & 31);
            int number = symbol == 0 ? 0 : string | (1 << length);
            references[i] = reference + ((number >>> 1) ^ -(number & 1));
        }
        return (wrong & ~31) == 0;
    }

    private void reserve(int count) {
        if (wanted.length < count) {
            wanted = new int[count];
            references = new int[count];
        }
    }

    /// The folded difference of two bit patterns: small differences of either sign give small numbers.
    static int folded(int wanted, int reference) {
        int difference = wanted - reference;
        return (difference << 1) ^ (difference >> 31);
    }

    /// The exponent of the reference above the floor.
    static int scale(int reference, int floor) {
        return Math.max((reference >>> 23) & 0xff, floor) - floor;
    }
}
