package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The scalar loops, whose results the vector loops must equal. Not thread-safe: memory is copied in bulk, through an
/// array.
final class ScalarPlanes implements PlaneKernels {
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int BELOW_EXPONENT = 0x00ff_ffff;

    private int[] words = new int[0];
    private int[] references = new int[0];

    @Override
    public void split(MemorySegment u, int count, byte[] planes, int stride) {
        split(u, 0, count, planes, stride);
    }

    /// Splits elements from `from` to `to`.
    void split(MemorySegment u, int from, int to, byte[] planes, int stride) {
        reserve(to - from);
        MemorySegment.copy(u, BITS, 4L * from, words, 0, to - from);
        for (int i = from; i < to; i++) {
            put(Integer.rotateLeft(words[i - from], 1), i, planes, stride);
        }
    }

    @Override
    public void splitScaled(MemorySegment u, MemorySegment r, int count, byte[] planes, int stride) {
        splitScaled(u, r, 0, count, planes, stride);
    }

    /// Splits elements from `from` to `to`.
    void splitScaled(MemorySegment u, MemorySegment r, int from, int to, byte[] planes, int stride) {
        reserve(to - from);
        MemorySegment.copy(u, BITS, 4L * from, words, 0, to - from);
        MemorySegment.copy(r, BITS, 4L * from, references, 0, to - from);
        for (int i = from; i < to; i++) {
            int value = Integer.rotateLeft(words[i - from], 1);
            int reference = Integer.rotateLeft(references[i - from], 1);
            int exponent = (value & ~BELOW_EXPONENT) - (reference & ~BELOW_EXPONENT);
            put(exponent | ((value ^ reference) & BELOW_EXPONENT), i, planes, stride);
        }
    }

    private static void put(int turned, int i, byte[] planes, int stride) {
        planes[i] = (byte) turned;
        planes[stride + i] = (byte) (turned >>> 8);
        planes[2 * stride + i] = (byte) (turned >>> 16);
        planes[3 * stride + i] = (byte) (turned >>> 24);
    }

    @Override
    public void join(Planes planes, int count, MemorySegment r) {
        join(planes, 0, count, r);
    }

    /// Joins elements from `from` to `to`.
    void join(Planes planes, int from, int to, MemorySegment r) {
        gather(planes, from, to);
        for (int i = 0; i < to - from; i++) {
            words[i] = Integer.rotateRight(words[i], 1);
        }
        MemorySegment.copy(words, 0, r, BITS, 4L * from, to - from);
    }

    @Override
    public void joinScaled(Planes planes, int count, MemorySegment r) {
        joinScaled(planes, 0, count, r);
    }

    /// Joins elements from `from` to `to`.
    void joinScaled(Planes planes, int from, int to, MemorySegment r) {
        gather(planes, from, to);
        MemorySegment.copy(r, BITS, 4L * from, references, 0, to - from);
        for (int i = 0; i < to - from; i++) {
            int difference = words[i];
            int reference = Integer.rotateLeft(references[i], 1);
            int exponent = (reference & ~BELOW_EXPONENT) + (difference & ~BELOW_EXPONENT);
            words[i] = Integer.rotateRight(exponent | ((difference ^ reference) & BELOW_EXPONENT), 1);
        }
        MemorySegment.copy(words, 0, r, BITS, 4L * from, to - from);
    }

    /// Puts the bytes of the elements from `from` to `to` together, one word for each.
    private void gather(Planes planes, int from, int to) {
        reserve(to - from);
        byte[] p0 = planes.arrays[0];
        byte[] p1 = planes.arrays[1];
        byte[] p2 = planes.arrays[2];
        byte[] p3 = planes.arrays[3];
        int s0 = planes.starts[0];
        int s1 = planes.starts[1];
        int s2 = planes.starts[2];
        int s3 = planes.starts[3];
        for (int i = from; i < to; i++) {
            words[i - from] =
                    (p0[s0 + i] & 0xff) | (p1[s1 + i] & 0xff) << 8 | (p2[s2 + i] & 0xff) << 16 | p3[s3 + i] << 24;
        }
    }

    private void reserve(int count) {
        if (words.length < count) {
            words = new int[count];
            references = new int[count];
        }
    }
}
