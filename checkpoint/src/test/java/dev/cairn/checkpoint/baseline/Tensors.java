package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;

/// float32 tensors for tests.
final class Tensors {
    private Tensors() {}

    static TensorPair of(String name, Role role, List<Long> shape, float[] live, float[] reference) {
        return new TensorPair(
                new TensorSpec(name, ElementType.FLOAT32, shape, role), segment(live), segment(reference));
    }

    static TensorPair vector(String name, Role role, float[] live, float[] reference) {
        return of(name, role, List.of((long) live.length), live, reference);
    }

    static float[] random(long seed, int count, double scale) {
        var random = new Random(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (random.nextGaussian() * scale);
        }
        return values;
    }

    private static MemorySegment segment(float[] values) {
        return Arena.ofAuto().allocateFrom(ValueLayout.JAVA_FLOAT, values);
    }
}
