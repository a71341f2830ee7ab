package dev.cairn.formats.pt;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.pt.PickleValue.TypeName;
import dev.cairn.formats.pt.PickleValue.UnheldType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// PyTorch's names of types. Each older type has its own class of storages. Tensors of newer types name their type
/// themselves, and their storages are untyped bytes.
final class PtTypes {
    static final String UNTYPED = "torch.storage.UntypedStorage";

    private static final List<String> UNHELD = List.of(
            ("complex128 complex32 bcomplex32 float4_e2m1fn_x2 bits1x8 bits2x4 bits4x2 bits8 bits16 qint8 qint32 quint8 "
                            + "quint4x2 quint2x4 int1 int2 int3 int4 int5 int6 int7 uint1 uint2 uint3 uint4 uint5 uint6 uint7")
                    .split(" "));
    private static final Map<String, String> UNHELD_STORAGES = Map.of(
            "ComplexDoubleStorage", "complex128",
            "QInt8Storage", "qint8",
            "QInt32Storage", "qint32",
            "QUInt8Storage", "quint8",
            "QUInt4x2Storage", "quint4x2",
            "QUInt2x4Storage", "quint2x4");
    private static final Map<String, PickleValue> BY_NAME = byName();

    private PtTypes() {}

    /// The class of storages of this type; empty if there is none.
    static Optional<String> storageClass(ElementType type) {
        return switch (type) {
            case FLOAT64 -> Optional.of("DoubleStorage");
            case FLOAT32 -> Optional.of("FloatStorage");
            case FLOAT16 -> Optional.of("HalfStorage");
            case BFLOAT16 -> Optional.of("BFloat16Storage");
            case INT64 -> Optional.of("LongStorage");
            case INT32 -> Optional.of("IntStorage");
            case INT16 -> Optional.of("ShortStorage");
            case INT8 -> Optional.of("CharStorage");
            case UINT8 -> Optional.of("ByteStorage");
            case BOOL -> Optional.of("BoolStorage");
            case COMPLEX64 -> Optional.of("ComplexFloatStorage");
            case UINT64, UINT32, UINT16 -> Optional.empty();
            case FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT8_E4M3FNUZ, FLOAT8_E5M2FNUZ, FLOAT8_E8M0FNU -> Optional.empty();
        };
    }

    /// The type or the class of storages with this qualified name, whether Cairn supports it or not.
    static Optional<PickleValue> of(String qualifiedName) {
        return Optional.ofNullable(BY_NAME.get(qualifiedName));
    }

    private static Map<String, PickleValue> byName() {
        var types = new HashMap<String, PickleValue>();
        for (String name : UNHELD) {
            types.put("torch." + name, new UnheldType(name));
        }
        UNHELD_STORAGES.forEach((storage, name) -> types.put("torch." + storage, new UnheldType(name)));
        types.put(UNTYPED, new TypeName(null));
        for (ElementType type : Arrays.asList(ElementType.values())) {
            types.put("torch." + type.label(), new TypeName(type));
            storageClass(type).ifPresent(name -> types.put("torch." + name, new TypeName(type)));
        }
        return types;
    }
}
