package dev.cairn.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Elements of floating-point tensors as numbers, whatever their type: without rounding.
public final class Reals {
    private static final ValueLayout.OfDouble F64 =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort BITS16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Reals() {}

    /// Element `i` of the segment; `IllegalArgumentException` for types that are not [ElementType#isFloating].
    public static double get(ElementType type, MemorySegment segment, long i) {
        return switch (type) {
            case FLOAT32 -> segment.get(F32, 4 * i);
            case FLOAT64 -> segment.get(F64, 8 * i);
            case FLOAT16 -> Float.float16ToFloat(segment.get(BITS16, 2 * i));
            case BFLOAT16 -> Float.intBitsToFloat(segment.get(BITS16, 2 * i) << 16);
            case INT64,
                    INT32,
                    INT16,
                    INT8,
                    UINT8,
                    BOOL,
                    UINT64,
                    UINT32,
                    UINT16,
                    COMPLEX64,
                    FLOAT8_E4M3FN,
                    FLOAT8_E5M2,
                    FLOAT8_E4M3FNUZ,
                    FLOAT8_E5M2FNUZ,
                    FLOAT8_E8M0FNU ->
                throw new IllegalArgumentException(type.label() + " is no type that codecs calculate with");
        };
    }
}
