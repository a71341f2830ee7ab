package dev.cairn.formats.safetensors;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.UnsupportedException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The names of types in safetensors. Types with elements smaller than a byte are not supported.
final class SafetensorsTypes {
    private static final Map<String, ElementType> TYPES = Arrays.stream(ElementType.values())
            .collect(Collectors.toUnmodifiableMap(SafetensorsTypes::label, Function.identity()));

    private SafetensorsTypes() {}

    static String label(ElementType type) {
        return switch (type) {
            case FLOAT64 -> "F64";
            case FLOAT32 -> "F32";
            case FLOAT16 -> "F16";
            case BFLOAT16 -> "BF16";
            case INT64 -> "I64";
            case INT32 -> "I32";
            case INT16 -> "I16";
            case INT8 -> "I8";
            case UINT8 -> "U8";
            case BOOL -> "BOOL";
            case UINT64 -> "U64";
            case UINT32 -> "U32";
            case UINT16 -> "U16";
            case COMPLEX64 -> "C64";
            case FLOAT8_E4M3FN -> "F8_E4M3";
            case FLOAT8_E5M2 -> "F8_E5M2";
            case FLOAT8_E4M3FNUZ -> "F8_E4M3FNUZ";
            case FLOAT8_E5M2FNUZ -> "F8_E5M2FNUZ";
            case FLOAT8_E8M0FNU -> "F8_E8M0";
        };
    }

    static ElementType of(String file, String tensor, String label) throws UnsupportedException {
        ElementType type = TYPES.get(label);
        if (type == null) {
            throw UnsupportedException.tensor(
                    file,
                    tensor,
                    "has the type %s, which Cairn does not support; convert it to one of %s first"
                            .formatted(
                                    FormatException.printable(label),
                                    Arrays.stream(ElementType.values())
                                            .map(SafetensorsTypes::label)
                                            .collect(Collectors.joining(", "))));
        }
        return type;
    }
}
