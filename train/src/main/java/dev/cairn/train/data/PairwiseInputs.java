package dev.cairn.train.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.IntUnaryOperator;

/// Grey images in the form that a model needs, read two pixels at a time from a table. Shuffled images are not in the
/// processor's caches, so the images of a batch are gathered first: copies wait for several cache misses at once,
/// lookups for each one.
final class PairwiseInputs implements Images.Inputs {
    private static final VarHandle PAIR = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] pixels;
    private final int size;
    private final Scaling scaling;
    private final long[] ofPairs;
    private final long[] pairs;
    private byte[] gathered = new byte[0];

    /// @param pixels the pixels, image by image
    /// @param size the number of pixels of an image
    PairwiseInputs(byte[] pixels, int size, Scaling scaling) {
        this.pixels = pixels;
        this.size = size;
        this.scaling = scaling;
        this.ofPairs = scaling.ofPairs();
        this.pairs = new long[size / 2];
    }

    @Override
    public void copy(int count, IntUnaryOperator image, MemorySegment target) {
        if (gathered.length < count * size) {
            gathered = new byte[count * size];
        }
        for (int i = 0; i < count; i++) {
            System.arraycopy(pixels, image.applyAsInt(i) * size, gathered, i * size, size);
        }
        for (int i = 0; i < count; i++) {
            copy(i * size, target, 4L * size * i);
        }
    }

    private void copy(int start, MemorySegment target, long offset) {
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = ofPairs[Short.toUnsignedInt((short) PAIR.get(gathered, start + 2 * i))];
        }
        MemorySegment.copy(pairs, 0, target, ValueLayout.JAVA_LONG_UNALIGNED, offset, pairs.length);
        if (size % 2 == 1) {
            float last = scaling.ofLevel(Byte.toUnsignedInt(gathered[start + size - 1]));
            target.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset + 4L * (size - 1), last);
        }
    }
}
