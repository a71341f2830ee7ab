package dev.cairn.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;

/// A small block of float32 and its reference, for a [VectorLoop.Trial]. The values are like those of trainings, so
/// that the code compiled for them suits real blocks too.
public final class TrialBlock {
    /// Not a multiple of any vector length, so that every loop has a remainder.
    public static final int ELEMENTS = 1024 + 7;

    /// The standard deviation of the changes of weights against their reference.
    public static final float SPREAD = 0.01f;

    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment live = arena.allocate(F32, ELEMENTS);
    private final MemorySegment original = arena.allocate(F32, ELEMENTS);
    private final MemorySegment reference = arena.allocate(F32, ELEMENTS);

    private TrialBlock() {}

    /// Returns weights after a step that changed most of them.
    public static TrialBlock ofWeights() {
        var block = new TrialBlock();
        var random = new Random(1);
        for (int i = 0; i < ELEMENTS; i++) {
            float before = (float) random.nextGaussian();
            float step = i % 5 == 0 ? 0 : (float) (SPREAD * random.nextGaussian());
            block.set(i, before + step, before);
        }
        return block;
    }

    /// Returns second moments, which are never negative. Most have changed by less than a doubling, some by a few
    /// doublings, and a few by many.
    public static TrialBlock ofMoments() {
        var block = new TrialBlock();
        var random = new Random(2);
        for (int i = 0; i < ELEMENTS; i++) {
            float before = i % 31 == 0 ? 0 : (float) Math.exp(4 * random.nextGaussian());
            boolean moved = i / 64 % 2 == 0 && i % 3 == 0;
            float factor = moved ? (float) Math.scalb(1.3, random.nextInt(-12, 12)) : 1.01f;
            block.set(i, before == 0 && moved ? 0.5f : before * factor, before);
        }
        return block;
    }

    private void set(int i, float value, float before) {
        live.setAtIndex(F32, i, value);
        original.setAtIndex(F32, i, before);
    }

    /// The values to encode.
    public MemorySegment live() {
        return live;
    }

    /// Returns the reference with its original values, in the same memory every time.
    public MemorySegment reference() {
        return reference.copyFrom(original);
    }
}
