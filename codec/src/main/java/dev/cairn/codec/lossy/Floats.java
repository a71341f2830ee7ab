package dev.cairn.codec.lossy;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// What the quantizers need to know of float32.
final class Floats {
    static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int SMALLEST_NORMAL = 0x0080_0000;
    private static final int INFINITY = 0x7f80_0000;

    private Floats() {}

    /// Whether arithmetic with this value is the same on every thread: zero, or finite and not subnormal.
    static boolean isSound(float value) {
        int magnitude = Float.floatToRawIntBits(value) & 0x7fff_ffff;
        return magnitude == 0 || (magnitude >= SMALLEST_NORMAL && magnitude < INFINITY);
    }

    /// The sum of partial sums, in one fixed order.
    static double sum(float[] lanes) {
        double sum = 0;
        for (int i = 0; i < Kernels.LANES; i++) {
            sum += lanes[i];
        }
        return sum;
    }
}
