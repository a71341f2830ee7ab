package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The plain loops: what the vector ones must equal. Not thread-safe: memory is copied in bulk, through an array.
final class ScalarPlanes implements PlaneKernels {
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private int[] words = new int[0];

    @Override
    public void split(MemorySegment u, int count, byte[] planes, int stride) {
        split(u, 0, count, planes, stride);
    }

    /// From element `from` to `to`.
    void split(MemorySegment u, int from, int to, byte[] planes, int stride) {
        reserve(to - from);
        MemorySegment.copy(u, BITS, 4L * from, words, 0, to - from);
        for (int i = from; i < to; i++) {
            int turned = Integer.rotateLeft(words[i - from], 1);
            planes[i] = (byte) turned;
            planes[stride + i] = (byte) (turned >>> 8);
            planes[2 * stride + i] = (byte) (turned >>> 16);
            planes[3 * stride + i] = (byte) (turned >>> 24);
        }
    }

    @Override
    public void join(byte[] planes, int stride, int count, MemorySegment r) {
        join(planes, stride, 0, count, r);
    }

    /// From element `from` to `to`.
    void join(byte[] planes, int stride, int from, int to, MemorySegment r) {
        reserve(to - from);
        for (int i = from; i < to; i++) {
            int turned = (planes[i] & 0xff)
                    | (planes[stride + i] & 0xff) << 8
                    | (planes[2 * stride + i] & 0xff) << 16
                    | planes[3 * stride + i] << 24;
            words[i - from] = Integer.rotateRight(turned, 1);
        }
        MemorySegment.copy(words, 0, r, BITS, 4L * from, to - from);
    }

    private void reserve(int count) {
        if (words.length < count) {
            words = new int[count];
        }
    }
}
