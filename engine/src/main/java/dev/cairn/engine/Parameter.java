package dev.cairn.engine;

import java.util.List;

/// A weight tensor of a model before training: its name, shape and where its values start.
///
/// @param bound values start uniform in ±bound
public record Parameter(String name, List<Long> shape, double bound) {
    public Parameter {
        shape = List.copyOf(shape);
    }

    public long count() {
        return shape.stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
    }

    /// The first values, a function of seed, name and shape alone: the same in every framework.
    public float[] initialValues(long seed) {
        var random = new CounterRandom(seed, stream(name));
        float[] values = new float[Math.toIntExact(count())];
        for (int i = 0; bound > 0 && i < values.length; i++) {
            values[i] = (float) random.nextDouble(-bound, bound);
        }
        return values;
    }

    /// FNV-1a of the name, 64 bits.
    private static long stream(String name) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
