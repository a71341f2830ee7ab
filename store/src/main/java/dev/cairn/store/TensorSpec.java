package dev.cairn.store;

import dev.cairn.codec.ElementType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The name, type, shape and role of a tensor: everything except its values.
///
/// @param shape the shape of the stored values
/// @param extent the part of a larger tensor that is stored; null if the tensor is stored whole
public record TensorSpec(
        String name,
        ElementType type,
        List<Long> shape,
        Role role,
        @Nullable Extent extent) {
    private static final int LONGEST_NAME = 1024;

    public TensorSpec {
        shape = List.copyOf(shape);
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("tensor name must have 1 to " + LONGEST_NAME + " characters");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException("tensor name is not valid text: it has an unpaired surrogate");
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
        if (extent != null) {
            extent.requireHolds(name, shape);
        }
    }

    /// Describes a whole tensor.
    public TensorSpec(String name, ElementType type, List<Long> shape, Role role) {
        this(name, type, shape, role, null);
    }

    /// The key that is unique among the tensors of a checkpoint: the name, and for a part also its offset.
    public String key() {
        return extent == null ? name : name + "@" + extent.offset();
    }

    /// The size of all elements in memory, in bytes.
    public long sizeBytes() {
        long bytes = type.sizeBytes();
        for (long dimension : shape) {
            bytes *= dimension;
        }
        return bytes;
    }

    @Override
    public String toString() {
        return name + " " + type.label() + shape
                + (extent == null ? "" : " at " + extent.offset() + " of " + extent.shape());
    }
}
