package dev.cairn.formats.bundle;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.UnsupportedException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/// TensorFlow's numbers of types (`DataType`).
final class BundleTypes {
    static final int STRING = 7;

    private static final Map<Long, ElementType> TYPES = types();
    private static final Map<Long, String> OTHERS = Map.ofEntries(
            Map.entry(11L, "qint8"),
            Map.entry(12L, "quint8"),
            Map.entry(13L, "qint32"),
            Map.entry(15L, "qint16"),
            Map.entry(16L, "quint16"),
            Map.entry(18L, "complex128"),
            Map.entry(20L, "resource"),
            Map.entry(21L, "variant"),
            Map.entry(29L, "int4"),
            Map.entry(30L, "uint4"));

    private BundleTypes() {}

    /// The number of a type; empty if TensorFlow does not have the type.
    static OptionalInt number(ElementType type) {
        return switch (type) {
            case FLOAT32 -> OptionalInt.of(1);
            case FLOAT64 -> OptionalInt.of(2);
            case INT32 -> OptionalInt.of(3);
            case UINT8 -> OptionalInt.of(4);
            case INT16 -> OptionalInt.of(5);
            case INT8 -> OptionalInt.of(6);
            case COMPLEX64 -> OptionalInt.of(8);
            case INT64 -> OptionalInt.of(9);
            case BOOL -> OptionalInt.of(10);
            case BFLOAT16 -> OptionalInt.of(14);
            case UINT16 -> OptionalInt.of(17);
            case FLOAT16 -> OptionalInt.of(19);
            case UINT32 -> OptionalInt.of(22);
            case UINT64 -> OptionalInt.of(23);
            case FLOAT8_E5M2 -> OptionalInt.of(24);
            case FLOAT8_E4M3FN -> OptionalInt.of(25);
            case FLOAT8_E4M3FNUZ, FLOAT8_E5M2FNUZ, FLOAT8_E8M0FNU -> OptionalInt.empty();
        };
    }

    static ElementType of(String file, String tensor, long number) throws UnsupportedException {
        ElementType type = TYPES.get(number);
        if (type == null) {
            throw UnsupportedException.tensor(
                    file,
                    tensor,
                    "has TensorFlow's type %s, which Cairn does not support; cast it, or save without it"
                            .formatted(OTHERS.getOrDefault(number, "number " + number)));
        }
        return type;
    }

    private static Map<Long, ElementType> types() {
        var types = new HashMap<Long, ElementType>();
        for (ElementType type : Arrays.asList(ElementType.values())) {
            number(type).ifPresent(number -> types.put((long) number, type));
        }
        return types;
    }
}
