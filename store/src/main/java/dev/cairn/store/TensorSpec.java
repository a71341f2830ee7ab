package dev.cairn.store;

import dev.cairn.codec.ElementType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A tensor's name, type, shape and role; everything but its values.
public record TensorSpec(String name, ElementType type, List<Long> shape, Role role) {
    private static final int LONGEST_NAME = 1024;

    public TensorSpec {
        shape = List.copyOf(shape);
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("tensor name must have 1 to " + LONGEST_NAME + " characters");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException("tensor name is no text: it has half of a pair of surrogates");
        }
        long bytes = type.sizeBytes();
        for (long dimension : shape) {
            if (dimension < 0) {
                throw new IllegalArgumentException("negative dimension: tensor=" + name + " shape=" + shape);
            }
            try {
                bytes = Math.multiplyExact(bytes, dimension);
            } catch (ArithmeticException overflow) {
                throw new IllegalArgumentException("tensor too large: tensor=" + name + " shape=" + shape, overflow);
            }
        }
    }

    /// Bytes of all elements as they are in memory.
    public long sizeBytes() {
        long bytes = type.sizeBytes();
        for (long dimension : shape) {
            bytes *= dimension;
        }
        return bytes;
    }

    @Override
    public String toString() {
        return name + " " + type.label() + shape;
    }
}
