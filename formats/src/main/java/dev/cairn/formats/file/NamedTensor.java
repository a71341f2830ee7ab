package dev.cairn.formats.file;

import dev.cairn.codec.ElementType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A tensor of a file: name, type and shape. Its elements are little-endian, row by row.
public record NamedTensor(String name, ElementType type, List<Long> shape) {
    /// The maximum number of dimensions that is read from a file. NumPy and PyTorch allow 64, TensorFlow allows
    /// 254.
    public static final int MOST_DIMENSIONS = 1000;

    /// Checks that the tensor has a size.
    ///
    /// @throws IllegalArgumentException if the name is not valid text, a dimension is negative or the size is
    /// 2^63 bytes or more
    public NamedTensor {
        shape = List.copyOf(shape);
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException("the name is not valid text: it has half of a surrogate pair");
        }
        sizeBytes(type, shape);
    }

    /// The approximate memory that the tensor takes, including its place in a list and in a map.
    public long heapBytes() {
        return 300 + 2L * name.length() + 24L * shape.size();
    }

    /// The size of all elements, in bytes.
    public long sizeBytes() {
        return sizeBytes(type, shape);
    }

    private static long sizeBytes(ElementType type, List<Long> shape) {
        // A dimension of 0 does not excuse the others: multiplying them in another order would overflow.
        long elements = 1;
        boolean empty = false;
        try {
            for (long dimension : shape) {
                if (dimension < 0) {
                    throw new IllegalArgumentException("negative dimension: shape=" + shape);
                }
                empty |= dimension == 0;
                elements = Math.multiplyExact(elements, Math.max(1, dimension));
            }
            long bytes = Math.multiplyExact(elements, type.sizeBytes());
            return empty ? 0 : bytes;
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException("too large: shape=" + shape, overflow);
        }
    }
}
