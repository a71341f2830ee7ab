package dev.cairn.codec.block;

import dev.cairn.codec.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;

/// Blocks like those of a training, and unusual blocks. The result depends only on type, shape and seed.
final class Corpus {
    enum Kind {
        /// Values that changed a little since the reference.
        TRAINED,
        /// Nothing changed.
        SAME,
        /// All zeros, with a reference that is not zero.
        ZEROED,
        /// NaN, infinities, subnormal numbers, both zeros and extremes among ordinary values.
        STRANGE,
        /// The reference times powers of two, except for a few elements.
        SCALED,
        /// Random bits.
        RANDOM
    }

    private static final float[] STRANGE = {
        0f,
        -0f,
        Float.MIN_VALUE,
        Float.MIN_NORMAL,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Float.POSITIVE_INFINITY,
        Float.NaN
    };

    private Corpus() {}

    record Block(MemorySegment u, MemorySegment r) {}

    static Block block(ElementType type, Kind kind, int count, long seed) {
        var random = new Random(seed);
        MemorySegment u = Arena.ofAuto().allocate((long) count * type.sizeBytes(), 1);
        MemorySegment r = Arena.ofAuto().allocate((long) count * type.sizeBytes(), 1);
        for (int i = 0; i < count; i++) {
            double reference = random.nextGaussian() * 0.03;
            double wanted = switch (kind) {
                case SAME -> reference;
                case SCALED ->
                    random.nextInt(20) == 0 ? 0.125 : Math.scalb((float) reference, (int) (2 * random.nextGaussian()));
                case TRAINED, ZEROED, STRANGE, RANDOM -> reference + random.nextGaussian() * 0.001;
            };
            boolean strange = kind == Kind.STRANGE && random.nextInt(20) == 0;
            put(r, type, i, strange ? STRANGE[random.nextInt(STRANGE.length)] : reference);
            put(u, type, i, kind == Kind.ZEROED ? 0 : strange ? STRANGE[random.nextInt(STRANGE.length)] : wanted);
        }
        if (kind == Kind.RANDOM) {
            fill(u, random);
            fill(r, random);
        }
        return new Block(u, r);
    }

    private static void fill(MemorySegment segment, Random random) {
        byte[] bytes = new byte[(int) segment.byteSize()];
        random.nextBytes(bytes);
        segment.copyFrom(MemorySegment.ofArray(bytes));
    }

    private static void put(MemorySegment segment, ElementType type, int i, double value) {
        var order = ByteOrder.LITTLE_ENDIAN;
        switch (type) {
            case FLOAT64 -> segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(order), 8L * i, value);
            case FLOAT32 -> segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order), 4L * i, (float) value);
            case FLOAT16 ->
                segment.set(
                        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order), 2L * i, Float.floatToFloat16((float) value));
            case BFLOAT16 ->
                segment.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order), 2L * i, (short)
                        (Float.floatToRawIntBits((float) value) >>> 16));
            case INT64, UINT64, COMPLEX64 ->
                segment.set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order), 8L * i, (long) (value * 1e6));
            case INT32, UINT32 ->
                segment.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(order), 4L * i, (int) (value * 1e6));
            case INT16, UINT16 ->
                segment.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order), 2L * i, (short) (value * 1e4));
            case INT8, UINT8, BOOL, FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT8_E4M3FNUZ, FLOAT8_E5M2FNUZ, FLOAT8_E8M0FNU ->
                segment.set(ValueLayout.JAVA_BYTE, i, (byte) (value * 1e3));
        }
    }
}
