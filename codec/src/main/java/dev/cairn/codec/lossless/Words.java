package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Converts elements of 1, 2, 4 or 8 bytes to numbers in an array, and back. Memory is copied in bulk: copying it
/// element by element would be slow until the code is compiled, and the first checkpoints of a run come before that.
/// Not thread-safe.
final class Words {
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final short[] shorts;
    private final int[] ints;

    Words(int most) {
        this.bytes = new byte[most];
        this.shorts = new short[most];
        this.ints = new int[most];
    }

    /// Loads `count` elements, unsigned.
    void load(MemorySegment source, int width, int count, long[] words) {
        switch (width) {
            case 1 -> {
                MemorySegment.copy(source, ValueLayout.JAVA_BYTE, 0, bytes, 0, count);
                for (int i = 0; i < count; i++) {
                    words[i] = bytes[i] & 0xffL;
                }
            }
            case 2 -> {
                MemorySegment.copy(source, U16, 0, shorts, 0, count);
                for (int i = 0; i < count; i++) {
                    words[i] = shorts[i] & 0xffffL;
                }
            }
            case 4 -> {
                MemorySegment.copy(source, U32, 0, ints, 0, count);
                for (int i = 0; i < count; i++) {
                    words[i] = ints[i] & 0xffff_ffffL;
                }
            }
            default -> MemorySegment.copy(source, U64, 0, words, 0, count);
        }
    }

    /// Stores the low bytes of `count` numbers.
    void store(long[] words, MemorySegment target, int width, int count) {
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    bytes[i] = (byte) words[i];
                }
                MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, count);
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    shorts[i] = (short) words[i];
                }
                MemorySegment.copy(shorts, 0, target, U16, 0, count);
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    ints[i] = (int) words[i];
                }
                MemorySegment.copy(ints, 0, target, U32, 0, count);
            }
            default -> MemorySegment.copy(words, 0, target, U64, 0, count);
        }
    }
}
