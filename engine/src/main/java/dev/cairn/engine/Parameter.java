package dev.cairn.engine;

import java.util.List;

/// A weight tensor of a model before training: its name, its shape and the range of its initial values.
///
/// @param bound the initial values are uniform in ±bound
public record Parameter(String name, List<Long> shape, double bound) {
    public Parameter {
        shape = List.copyOf(shape);
    }

    /// The number of elements.
    public long count() {
        return shape.stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
    }

    /// The initial values. They depend only on the seed, the name and the shape, so they are the same in every
    /// framework.
    public float[] initialValues(long seed) {
        var random = new CounterRandom(seed, stream(name));
        float[] values = new float[Math.toIntExact(count())];
        for (int i = 0; bound > 0 && i < values.length; i++) {
            values[i] = (float) random.nextDouble(-bound, bound);
        }
        return values;
    }

    /// The 64-bit FNV-1a hash of the name.
    private static long stream(String name) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
