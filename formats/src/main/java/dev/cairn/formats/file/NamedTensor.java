package dev.cairn.formats.file;

import dev.cairn.codec.ElementType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A tensor of a file: name, type and shape. Its elements are little-endian, row by row.
public record NamedTensor(String name, ElementType type, List<Long> shape) {
    /// More are read from no file. NumPy and PyTorch have 64 at most, TensorFlow has 254.
    public static final int MOST_DIMENSIONS = 1000;

    /// A tensor whose size is a number.
    ///
    /// @throws IllegalArgumentException where the name is no text, a dimension is negative or the size is beyond
    /// 2^63 bytes
    public NamedTensor {
        shape = List.copyOf(shape);
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException("the name is no text: it has half of a pair of surrogates");
        }
        sizeBytes(type, shape);
    }

    /// About how much memory it takes, with its place in a list and in a map.
    public long heapBytes() {
        return 300 + 2L * name.length() + 24L * shape.size();
    }

    /// Bytes of all elements.
    public long sizeBytes() {
        return sizeBytes(type, shape);
    }

    private static long sizeBytes(ElementType type, List<Long> shape) {
        // A dimension of 0 does not excuse the others: whoever multiplies them in another order overflows.
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
