package dev.cairn.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;

/// A small block of float32, and its reference, for a [VectorLoop.Trial]: values as trainings have them, so
/// that what is compiled for it is right for real blocks, too.
public final class TrialBlock {
    /// Not a multiple of any vector's lanes: a rest is part of every loop.
    public static final int ELEMENTS = 1024 + 7;

    /// By how much weights differ from their reference.
    public static final float SPREAD = 0.01f;

    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment live = arena.allocate(F32, ELEMENTS);
    private final MemorySegment original = arena.allocate(F32, ELEMENTS);
    private final MemorySegment reference = arena.allocate(F32, ELEMENTS);

    private TrialBlock() {}

    /// Weights that a step has moved; some are as they were.
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

    /// Second moments: never negative; most have not moved by a doubling, some by a few, and a few by many.
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

    /// What is to be encoded.
    public MemorySegment live() {
        return live;
    }

    /// The reference as it was before; the same memory every time.
    public MemorySegment reference() {
        return reference.copyFrom(original);
    }
}
