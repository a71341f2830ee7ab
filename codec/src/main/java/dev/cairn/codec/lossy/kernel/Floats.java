package dev.cairn.codec.lossy.kernel;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Properties of floating-point numbers that the quantizers need.
public final class Floats {
    /// A float32 in a block.
    public static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int SMALLEST_NORMAL = 0x0080_0000;
    private static final int INFINITY = 0x7f80_0000;
    private static final long SMALLEST_NORMAL_DOUBLE = 0x0010_0000_0000_0000L;
    private static final long INFINITY_DOUBLE = 0x7ff0_0000_0000_0000L;

    /// The smallest magnitude that a writer puts into a table, 2⁻¹⁰¹. Added to a normal number, it gives a normal
    /// number or zero, never a subnormal one: if the two cancel, both are multiples of 2⁻¹²⁵. So a thread that
    /// flushes subnormal numbers to zero computes the same sum as one that does not. The same holds for float64.
    public static final float SMALLEST_VALUE = 0x1p-101f;

    /// The exponent field of [#SMALLEST_VALUE].
    public static final int SMALLEST_EXPONENT = 26;

    private Floats() {}

    /// Whether arithmetic with this value is the same on every thread: zero, or finite and not subnormal.
    public static boolean isSound(float value) {
        int magnitude = Float.floatToRawIntBits(value) & 0x7fff_ffff;
        return magnitude == 0 || (magnitude >= SMALLEST_NORMAL && magnitude < INFINITY);
    }

    /// Whether arithmetic with this value is the same on every thread: zero, or finite and not subnormal.
    public static boolean isSound(double value) {
        long magnitude = Double.doubleToRawLongBits(value) & Long.MAX_VALUE;
        return magnitude == 0 || (magnitude >= SMALLEST_NORMAL_DOUBLE && magnitude < INFINITY_DOUBLE);
    }

    /// The sum of partial sums, in a fixed order.
    public static double sum(float[] lanes) {
        double sum = 0;
        for (int i = 0; i < Kernels.LANES; i++) {
            sum += lanes[i];
        }
        return sum;
    }
}
