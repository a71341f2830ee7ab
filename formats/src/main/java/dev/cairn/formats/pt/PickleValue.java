package dev.cairn.formats.pt;

import dev.cairn.codec.ElementType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A value that a pickle may contain: data, and a few names from PyTorch. No value can do anything.
sealed interface PickleValue {
    /// The memory of an object with a few fields, or of one of its lists when it is empty.
    long OBJECT_BYTES = 32;

    /// The approximate memory of a new value, without the values that it holds, which existed before.
    default long heapBytes() {
        return switch (this) {
            case Text(String text) -> 3 * OBJECT_BYTES + 2L * text.length();
            case Sequence(List<PickleValue> items) -> 2 * OBJECT_BYTES + 8L * items.size();
            case Dictionary dictionary ->
                5 * OBJECT_BYTES + 32L * dictionary.keys().size();
            case Tensor tensor -> 4 * OBJECT_BYTES + 64L * tensor.shape().size();
            case Storage _, UnheldTensor _ -> 2 * OBJECT_BYTES;
            case Whole _, WideWhole _, Real _, Flag _, Nothing _, Function _, TypeName _, UnheldType _ -> OBJECT_BYTES;
        };
    }

    record Text(String text) implements PickleValue {}

    record Whole(long number) implements PickleValue {}

    /// A whole number beyond 64 bits.
    record WideWhole(int sizeBytes) implements PickleValue {}

    record Real(double number) implements PickleValue {}

    record Flag(boolean value) implements PickleValue {}

    /// `None`, and values that are not used.
    record Nothing(String what) implements PickleValue {}

    /// A list, which may still grow, or a tuple.
    record Sequence(List<PickleValue> items) implements PickleValue {
        Sequence() {
            this(new ArrayList<>());
        }
    }

    /// A dictionary in the order in which its entries were added. It may still grow, and it may contain itself.
    record Dictionary(List<PickleValue> keys, List<PickleValue> values) implements PickleValue {
        Dictionary() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /// The name of a known function. The function is never called.
    record Function(PickleFunction function) implements PickleValue {}

    /// A type of elements; null for a storage of untyped bytes.
    record TypeName(@Nullable ElementType type) implements PickleValue {}

    /// A type of elements that PyTorch has and Cairn does not support, or a storage of that type.
    record UnheldType(String name) implements PickleValue {}

    /// Elements one after the other, in an entry of the zip file.
    ///
    /// @param type null for untyped bytes
    /// @param count number of elements, or of untyped bytes
    record Storage(@Nullable ElementType type, String key, long count) implements PickleValue {}

    /// A view of a storage.
    ///
    /// @param offset offset of its first element, in elements
    record Tensor(Storage storage, ElementType type, long offset, List<Long> shape, List<Long> strides)
            implements PickleValue {}

    /// A tensor whose values Cairn cannot represent.
    ///
    /// @param problem the problem and its cure, to follow the name of the tensor
    record UnheldTensor(String problem) implements PickleValue {}
}
