package dev.cairn.formats.pt;

import dev.cairn.codec.ElementType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a pickle may hold here: data, and a few names of PyTorch's. None of it does anything.
sealed interface PickleValue {
    /// An object with a few fields, or one of its lists when it is empty.
    long OBJECT_BYTES = 32;

    /// About how much memory a new one takes, without the values that it holds, which were there before.
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

    /// `None`, and values that mean nothing here.
    record Nothing(String what) implements PickleValue {}

    /// A list, which may still grow, or a tuple.
    record Sequence(List<PickleValue> items) implements PickleValue {
        Sequence() {
            this(new ArrayList<>());
        }
    }

    /// A dictionary, in the order in which its entries came. May still grow, and may contain itself.
    record Dictionary(List<PickleValue> keys, List<PickleValue> values) implements PickleValue {
        Dictionary() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /// A function that is known, by its name; it is never called.
    record Function(PickleFunction function) implements PickleValue {}

    /// A type of elements; null where a storage has bytes of no type.
    record TypeName(@Nullable ElementType type) implements PickleValue {}

    /// A type of elements that PyTorch has and Cairn has not, or a storage of it.
    record UnheldType(String name) implements PickleValue {}

    /// Elements one after the other, in an entry of the zip file.
    ///
    /// @param type null for bytes
    /// @param count of elements, or of bytes
    record Storage(@Nullable ElementType type, String key, long count) implements PickleValue {}

    /// A view of a storage.
    ///
    /// @param offset of its first element, in elements
    record Tensor(Storage storage, ElementType type, long offset, List<Long> shape, List<Long> strides)
            implements PickleValue {}

    /// A tensor whose values Cairn cannot hold as they are meant.
    ///
    /// @param problem with its cure, as what follows the tensor's name
    record UnheldTensor(String problem) implements PickleValue {}
}
