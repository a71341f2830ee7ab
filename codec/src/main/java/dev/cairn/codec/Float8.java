package dev.cairn.codec;

/// The values of eight-bit floating-point numbers, for display. Codecs only store their bits.
public final class Float8 {
    private static final int SIGN = 0x80;

    private Float8() {}

    /// The value that this byte represents.
    public static double value(ElementType type, byte bits) {
        int b = Byte.toUnsignedInt(bits);
        return switch (type) {
            case FLOAT8_E4M3FN -> (b & 0x7f) == 0x7f ? Double.NaN : value(b, 3, 7);
            case FLOAT8_E5M2 -> (b & 0x7c) == 0x7c ? special(b) : value(b, 2, 15);
            case FLOAT8_E4M3FNUZ -> b == SIGN ? Double.NaN : value(b, 3, 8);
            case FLOAT8_E5M2FNUZ -> b == SIGN ? Double.NaN : value(b, 2, 16);
            case FLOAT8_E8M0FNU -> b == 0xff ? Double.NaN : Math.scalb(1.0, b - 127);
            case FLOAT64,
                    FLOAT32,
                    FLOAT16,
                    BFLOAT16,
                    INT64,
                    INT32,
                    INT16,
                    INT8,
                    UINT8,
                    BOOL,
                    UINT64,
                    UINT32,
                    UINT16,
                    COMPLEX64 ->
                throw new IllegalArgumentException(type.label() + " is not an eight-bit floating-point type");
        };
    }

    private static double special(int bits) {
        if ((bits & 3) != 0) {
            return Double.NaN;
        }
        return (bits & SIGN) == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    private static double value(int bits, int fractionBits, int bias) {
        int fraction = bits & ((1 << fractionBits) - 1);
        int exponent = (bits & 0x7f) >> fractionBits;
        double magnitude = exponent == 0
                ? Math.scalb((double) fraction, 1 - bias - fractionBits)
                : Math.scalb((double) (fraction | (1 << fractionBits)), exponent - bias - fractionBits);
        return (bits & SIGN) == 0 ? magnitude : -magnitude;
    }
}
