package dev.cairn.formats.pt;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.pt.PickleValue.Dictionary;
import dev.cairn.formats.pt.PickleValue.Flag;
import dev.cairn.formats.pt.PickleValue.Nothing;
import dev.cairn.formats.pt.PickleValue.Sequence;
import dev.cairn.formats.pt.PickleValue.Storage;
import dev.cairn.formats.pt.PickleValue.Tensor;
import dev.cairn.formats.pt.PickleValue.Text;
import dev.cairn.formats.pt.PickleValue.TypeName;
import dev.cairn.formats.pt.PickleValue.UnheldTensor;
import dev.cairn.formats.pt.PickleValue.UnheldType;
import dev.cairn.formats.pt.PickleValue.Whole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The results of the known calls in a pickle; empty if the arguments are invalid.
final class PickleCalls {
    /// The maximum number of flags of a tensor. Usually there are one or two.
    private static final int MOST_FLAGS = 16;

    private PickleCalls() {}

    static Optional<PickleValue> result(PickleFunction function, List<PickleValue> arguments) {
        return switch (function) {
            case ORDERED_DICT -> dictionary(arguments);
            case TENSOR, TENSOR_V2 ->
                !arguments.isEmpty() && arguments.getFirst() instanceof UnheldType(String name)
                        ? Optional.of(unheld(name))
                        : tensor(arguments, null).flatMap(tensor -> asMeant(tensor, arguments, 6));
            case TENSOR_V3 -> arguments.size() > 6 ? typedTensor(arguments, arguments.get(6)) : Optional.empty();
            case PARAMETER, PARAMETER_WITH_STATE ->
                arguments.stream().limit(1).filter(PickleCalls::isTensor).findFirst();
            case TYPE_TAG -> arguments.size() == 2 ? Optional.of(arguments.getFirst()) : Optional.empty();
            case SIZE ->
                arguments.size() == 1 && arguments.getFirst() instanceof Sequence sizes
                        ? Optional.of(sizes)
                        : Optional.empty();
            case DEVICE -> Optional.of(new Nothing("torch.device"));
        };
    }

    private static boolean isTensor(PickleValue value) {
        return value instanceof Tensor || value instanceof UnheldTensor;
    }

    private static Optional<PickleValue> dictionary(List<PickleValue> arguments) {
        var dictionary = new Dictionary();
        if (arguments.isEmpty()) {
            return Optional.of(dictionary);
        }
        if (arguments.size() != 1 || !(arguments.getFirst() instanceof Sequence(List<PickleValue> items))) {
            return Optional.empty();
        }
        for (PickleValue item : items) {
            if (!(item instanceof Sequence(List<PickleValue> pair)) || pair.size() != 2) {
                return Optional.empty();
            }
            dictionary.keys().add(pair.getFirst());
            dictionary.values().add(pair.getLast());
        }
        return Optional.of(dictionary);
    }

    /// The tensor of the arguments `(storage, offset, shape, strides, …)`.
    ///
    /// @param own the type that the tensor names; null if it has the type of its storage
    private static Optional<Tensor> tensor(List<PickleValue> arguments, @Nullable ElementType own) {
        if (arguments.size() < 4
                || !(arguments.get(0) instanceof Storage storage)
                || !(arguments.get(1) instanceof Whole(long offset))) {
            return Optional.empty();
        }
        ElementType type = own == null ? storage.type() : own;
        List<Long> shape = numbers(arguments.get(2));
        List<Long> strides = numbers(arguments.get(3));
        if (type == null || shape == null || strides == null || shape.size() != strides.size()) {
            return Optional.empty();
        }
        return Optional.of(new Tensor(storage, type, offset, shape, strides));
    }

    private static Optional<PickleValue> typedTensor(List<PickleValue> arguments, PickleValue type) {
        if (type instanceof UnheldType(String name)) {
            return Optional.of(unheld(name));
        }
        return type instanceof TypeName(ElementType own) && own != null
                ? tensor(arguments, own).flatMap(tensor -> asMeant(tensor, arguments, 7))
                : Optional.empty();
    }

    private static UnheldTensor unheld(String type) {
        String cure = type.contains("complex")
                ? "save torch.view_as_real of it"
                : type.startsWith("q") ? "save it with .dequantize()" : "save it with .view(torch.uint8)";
        return new UnheldTensor("has the type %s, which Cairn cannot hold; %s".formatted(type, cure));
    }

    /// Returns the tensor, unless its metadata says that its values differ from those of its storage.
    ///
    /// @param place position of the metadata among the arguments: absent, `None`, or a dictionary such as
    /// `{'conj': True}`
    private static Optional<PickleValue> asMeant(Tensor tensor, List<PickleValue> arguments, int place) {
        if (arguments.size() <= place || arguments.get(place).equals(PickleReader.NONE)) {
            return Optional.of(tensor);
        }
        if (!(arguments.get(place) instanceof Dictionary(List<PickleValue> keys, List<PickleValue> values))
                || keys.size() > MOST_FLAGS) {
            return Optional.empty();
        }
        for (int i = 0; i < keys.size(); i++) {
            if (!(keys.get(i) instanceof Text(String key))) {
                return Optional.empty();
            }
            if (!(values.get(i) instanceof Flag(boolean set)) || set) {
                return Optional.of(new UnheldTensor(lazy(key)));
            }
        }
        return Optional.of(tensor);
    }

    private static String lazy(String flag) {
        return switch (flag) {
            case "conj" -> "is conjugated only when it is read (its conj bit is set); save it with .resolve_conj()";
            case "neg" -> "is negated only when it is read (its neg bit is set); save it with .resolve_neg()";
            default ->
                "has the metadata '%s', whose effect on its values Cairn does not know; save a copy without it"
                        .formatted(FormatException.printable(flag));
        };
    }

    private static @Nullable List<Long> numbers(PickleValue value) {
        if (!(value instanceof Sequence(List<PickleValue> items)) || items.size() > NamedTensor.MOST_DIMENSIONS) {
            return null;
        }
        var numbers = new ArrayList<Long>();
        for (PickleValue item : items) {
            if (!(item instanceof Whole(long number))) {
                return null;
            }
            numbers.add(number);
        }
        return numbers;
    }
}
