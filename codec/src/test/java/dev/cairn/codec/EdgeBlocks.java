package dev.cairn.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;

/// Live values and references at the limits of a floating-point type. They are made from bits, so that the
/// floating-point mode of a thread cannot change them. The result depends only on type, kind, count and seed.
public final class EdgeBlocks {
    /// The kind of values.
    public enum Kind {
        /// Subnormal numbers and the smallest normal ones: sums of two normal numbers are often subnormal.
        TINY,
        /// Up to 2⁴⁰ times the smallest normal number: the buckets and steps around the smallest that are kept.
        SMALL,
        /// Both zeros among ordinary values; every third value is unchanged.
        ZEROS,
        /// As in a training, with a few subnormal numbers.
        SPRINKLED,
        /// A few NaNs with payloads, and infinities.
        NOT_FINITE,
        /// So large that differences and sums overflow.
        HUGE
    }

    private EdgeBlocks() {}

    /// A block of live values and its reference.
    public record Block(MemorySegment u, MemorySegment r) {}

    public static Block of(ElementType type, Kind kind, int count, long seed) {
        var random = new Random(seed);
        MemorySegment u = Arena.ofAuto().allocate((long) count * type.sizeBytes(), 1);
        MemorySegment r = Arena.ofAuto().allocate((long) count * type.sizeBytes(), 1);
        var layout = Layout.of(type);
        for (int i = 0; i < count; i++) {
            long reference = layout.any(kind, random);
            boolean still = kind == Kind.ZEROS && random.nextInt(3) == 0;
            put(r, type, i, reference);
            put(u, type, i, still ? reference : layout.any(kind, random));
        }
        return new Block(u, r);
    }

    /// The bits of element i.
    public static long bits(MemorySegment block, ElementType type, int i) {
        return switch (type.sizeBytes()) {
            case 8 -> block.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 8L * i);
            case 4 -> block.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 4L * i);
            default -> block.get(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 2L * i);
        };
    }

    private static void put(MemorySegment block, ElementType type, int i, long bits) {
        switch (type.sizeBytes()) {
            case 8 -> block.set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 8L * i, bits);
            case 4 -> block.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 4L * i, (int) bits);
            default ->
                block.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 2L * i, (short) bits);
        }
    }

    /// The bit fields of a floating-point type.
    private record Layout(int exponentBits, int fractionBits) {
        static Layout of(ElementType type) {
            return switch (type) {
                case FLOAT64 -> new Layout(11, 52);
                case FLOAT32 -> new Layout(8, 23);
                case FLOAT16 -> new Layout(5, 10);
                case BFLOAT16 -> new Layout(8, 7);
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
                        FLOAT8_E8M0FNU -> throw new IllegalArgumentException(type.label());
            };
        }

        long any(Kind kind, Random random) {
            int notFinite = (1 << exponentBits) - 1;
            int ordinary = notFinite / 2 - 4 + random.nextInt(4);
            return switch (kind) {
                case TINY -> number(random.nextInt(4), random);
                case SMALL -> number(random.nextInt(Math.min(40, notFinite)), random);
                case ZEROS -> random.nextBoolean() ? sign(random) : number(ordinary, random);
                case SPRINKLED -> number(random.nextInt(100) == 0 ? 0 : ordinary, random);
                case NOT_FINITE -> number(random.nextInt(50) == 0 ? notFinite : ordinary, random);
                case HUGE -> number(notFinite - 1 - random.nextInt(2), random);
            };
        }

        private long number(int exponent, Random random) {
            long fraction = random.nextLong() & ((1L << fractionBits) - 1);
            return sign(random) | ((long) exponent << fractionBits) | fraction;
        }

        private long sign(Random random) {
            return random.nextBoolean() ? 1L << (exponentBits + fractionBits) : 0;
        }
    }
}
