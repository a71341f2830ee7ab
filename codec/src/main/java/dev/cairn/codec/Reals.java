package dev.cairn.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads elements of floating-point tensors of any type as numbers, without rounding.
public final class Reals {
    private static final ValueLayout.OfDouble F64 =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort BITS16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Reals() {}

    /// Returns element `i` of the segment.
    ///
    /// @throws IllegalArgumentException if the type is not [ElementType#isFloating]
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
                throw new IllegalArgumentException(type.label() + " is not a type that codecs calculate with");
        };
    }
}
