package dev.cairn.codec.lossless;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.SymbolCoder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Any type, bit for bit: bytes of equal significance are put together, plane by plane, and each plane is entropy coded
/// where that helps.
///
/// Alone, the bits of a floating-point number are turned left by one, which brings the exponent, the part with
/// structure,
/// into bytes of its own. Against a reference the difference of the bit patterns is coded. Not thread-safe.
public final class PlaneCodec {
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int MOST_ELEMENTS = 1 << 16;

    private final SymbolCoder coder = new SymbolCoder();
    private final byte[] plane = new byte[MOST_ELEMENTS + 16];
    private final long[] differences = new long[MOST_ELEMENTS];

    /// Appends the planes, the most significant last. An element has `width` bytes: 1, 2, 4 or 8.
    public void encodeAlone(MemorySegment u, int width, boolean floating, Frame frame) {
        int count = (int) (u.byteSize() / width);
        for (int p = 0; p < width; p++) {
            for (int i = 0; i < count; i++) {
                long bits = get(u, width, i);
                plane[i] = (byte) ((floating ? turnLeft(bits, width) : bits) >>> (8 * p));
            }
            coder.encode(plane, count, frame);
        }
    }

    public void decodeAlone(FrameReader in, MemorySegment r, int width, boolean floating) throws CorruptBlockException {
        int count = (int) (r.byteSize() / width);
        for (int p = 0; p < width; p++) {
            coder.decode(in, plane, count);
            for (int i = 0; i < count; i++) {
                long bits = plane[i] & 0xffL;
                put(r, width, i, p == 0 ? bits : get(r, width, i) | (bits << (8 * p)));
            }
        }
        if (floating) {
            for (int i = 0; i < count; i++) {
                put(r, width, i, turnRight(get(r, width, i), width));
            }
        }
    }

    /// Appends the planes of the folded difference `u − r` of the bit patterns as integers.
    public void encodeDelta(MemorySegment u, MemorySegment r, int width, Frame frame) {
        int count = (int) (u.byteSize() / width);
        for (int p = 0; p < width; p++) {
            for (int i = 0; i < count; i++) {
                long difference = extend(get(u, width, i) - get(r, width, i), width);
                plane[i] = (byte) (((difference << 1) ^ (difference >> 63)) >>> (8 * p));
            }
            coder.encode(plane, count, frame);
        }
    }

    public void decodeDelta(FrameReader in, MemorySegment r, int width) throws CorruptBlockException {
        int count = (int) (r.byteSize() / width);
        Arrays.fill(differences, 0, count, 0);
        for (int p = 0; p < width; p++) {
            coder.decode(in, plane, count);
            for (int i = 0; i < count; i++) {
                differences[i] |= (plane[i] & 0xffL) << (8 * p);
            }
        }
        for (int i = 0; i < count; i++) {
            long difference = (differences[i] >>> 1) ^ -(differences[i] & 1);
            put(r, width, i, get(r, width, i) + difference);
        }
    }

    private static long get(MemorySegment segment, int width, int i) {
        return switch (width) {
            case 1 -> segment.get(ValueLayout.JAVA_BYTE, i) & 0xffL;
            case 2 -> segment.get(U16, 2L * i) & 0xffffL;
            case 4 -> segment.get(U32, 4L * i) & 0xffff_ffffL;
            default -> segment.get(U64, 8L * i);
        };
    }

    private static void put(MemorySegment segment, int width, int i, long bits) {
        switch (width) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) bits);
            case 2 -> segment.set(U16, 2L * i, (short) bits);
            case 4 -> segment.set(U32, 4L * i, (int) bits);
            default -> segment.set(U64, 8L * i, bits);
        }
    }

    /// Sign-extends a number of so many bytes.
    private static long extend(long bits, int width) {
        int unused = 64 - 8 * width;
        return (bits << unused) >> unused;
    }

    private static long turnLeft(long bits, int width) {
        int top = 8 * width - 1;
        return (bits << 1) | ((bits >>> top) & 1);
    }

    private static long turnRight(long bits, int width) {
        int top = 8 * width - 1;
        long mask = width == 8 ? -1 : (1L << (8 * width)) - 1;
        return ((bits & mask) >>> 1) | ((bits & 1) << top);
    }
}
