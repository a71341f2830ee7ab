package dev.cairn.store.reading;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Float8;
import dev.cairn.codec.Reals;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Sums up how the elements of one tensor differ, range by range. For one thread.
final class ElementDifference {
    private static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfByte I8 = ValueLayout.JAVA_BYTE;

    private final TensorSpec spec;
    private final ElementType type;
    private long elements;
    private long equal;
    private long notFinite;
    private final Norm norm = new Norm();
    private final Norm firstNorm = new Norm();
    private double largest;

    ElementDifference(TensorSpec spec) {
        this.spec = spec;
        this.type = spec.type();
    }

    /// Adds two ranges at the same position and of the same length.
    void add(MemorySegment first, MemorySegment second) {
        long count = first.byteSize() / type.sizeBytes();
        for (long i = 0; i < count; i++) {
            double before = value(first, i);
            if (Double.isFinite(before)) {
                firstNorm.add(before);
            }
            if (isSame(first, second, i)) {
                equal++;
            } else {
                addChange(change(first, second, i, before));
            }
        }
        elements += count;
    }

    private void addChange(double change) {
        if (Double.isFinite(change)) {
            norm.add(change);
            largest = Math.max(largest, Math.abs(change));
        } else {
            notFinite++;
        }
    }

    private boolean isSame(MemorySegment first, MemorySegment second, long i) {
        return switch (type.sizeBytes()) {
            case 8 -> first.get(I64, 8 * i) == second.get(I64, 8 * i);
            case 4 -> first.get(I32, 4 * i) == second.get(I32, 4 * i);
            case 2 -> first.get(I16, 2 * i) == second.get(I16, 2 * i);
            default -> first.get(I8, i) == second.get(I8, i);
        };
    }

    private double value(MemorySegment values, long i) {
        return switch (type) {
            case FLOAT64, FLOAT32, FLOAT16, BFLOAT16 -> Reals.get(type, values, i);
            case INT64 -> values.get(I64, 8 * i);
            case INT32 -> values.get(I32, 4 * i);
            case INT16 -> values.get(I16, 2 * i);
            case INT8 -> values.get(I8, i);
            case UINT8, BOOL -> Byte.toUnsignedInt(values.get(I8, i));
            case UINT64 -> unsigned(values.get(I64, 8 * i));
            case UINT32 -> Integer.toUnsignedLong(values.get(I32, 4 * i));
            case UINT16 -> Short.toUnsignedInt(values.get(I16, 2 * i));
            case FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT8_E4M3FNUZ, FLOAT8_E5M2FNUZ, FLOAT8_E8M0FNU ->
                Float8.value(type, values.get(I8, i));
            case COMPLEX64 -> Math.hypot(part(values, 2 * i), part(values, 2 * i + 1));
        };
    }

    private double change(MemorySegment first, MemorySegment second, long i, double before) {
        return switch (type) {
            case INT64 -> change(first, second, i);
            case COMPLEX64 ->
                Math.hypot(part(second, 2 * i) - part(first, 2 * i), part(second, 2 * i + 1) - part(first, 2 * i + 1));
            case FLOAT64,
                    FLOAT32,
                    FLOAT16,
                    BFLOAT16,
                    INT32,
                    INT16,
                    INT8,
                    UINT8,
                    BOOL,
                    UINT64,
                    UINT32,
                    UINT16,
                    FLOAT8_E4M3FN,
                    FLOAT8_E5M2,
                    FLOAT8_E4M3FNUZ,
                    FLOAT8_E5M2FNUZ,
                    FLOAT8_E8M0FNU -> value(second, i) - before;
        };
    }

    /// A part of a complex number: the real parts and the imaginary parts alternate.
    private static double part(MemorySegment values, long i) {
        return Reals.get(ElementType.FLOAT32, values, i);
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : 2.0 * (bits >>> 1);
    }

    /// The change of integers that a double may not distinguish. If the change overflows a long, the doubles differ
    /// enough.
    private static double change(MemorySegment first, MemorySegment second, long i) {
        long before = first.get(I64, 8 * i);
        long after = second.get(I64, 8 * i);
        long change = after - before;
        boolean overflows = ((after ^ before) & (after ^ change)) < 0;
        return overflows ? (double) after - (double) before : change;
    }

    TensorDifference.Compared result() {
        return new TensorDifference.Compared(
                spec, elements, equal, norm.value(), firstNorm.value(), largest, notFinite);
    }
}
