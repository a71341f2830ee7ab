package dev.cairn.codec.lossy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Quantizes values that are never negative, such as Adam's second moment, in steps of their logarithm.
///
/// The bits of a non-negative float, read as an integer, grow with its logarithm (base 2, times 2²³, within 9 % of a
/// doubling). So the delta is taken between bit patterns and the reference moves by whole multiples of `2^shift`:
/// integer arithmetic, exact on every thread; never negative; the relative error is bounded whatever the magnitude.
///
/// Up, it moves from half a step on, because a second moment that is too small makes steps that are too large. Down,
/// only
/// from nine tenths: plain rounding would go back and forth. An element that would have to move more than seven steps,
/// or
/// out of the normal numbers, gets id [#JUMP] and is set to the next power of two. Not thread-safe.
final class SecondMomentQuantizer {
    /// The id of an element that is set to a power of two.
    static final int JUMP = 8;

    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int SMALLEST_NORMAL = 0x0080_0000;
    private static final int INFINITY = 0x7f80_0000;
    private static final int LARGEST_EXPONENT = 254;

    private final int[] live = new int[QuantizedBlock.MOST_ELEMENTS];
    private final int[] reference = new int[QuantizedBlock.MOST_ELEMENTS];

    /// Fills `block` and moves `r`; the exponents of those that jump go to `jumps`.
    ///
    /// @param shift the step is `2^shift` of bits: 23 is a doubling
    /// @return how many jump, or −1 where a value is negative or not finite: then `r` is not to be used
    int quantize(MemorySegment u, MemorySegment r, int count, int shift, QuantizedBlock block, byte[] jumps) {
        block.reset(count);
        Arrays.fill(block.mask, 0, block.maskBytes(), (byte) 0);
        MemorySegment.copy(u, BITS, 0, live, 0, count);
        MemorySegment.copy(r, BITS, 0, reference, 0, count);
        int half = 1 << (shift - 1);
        int tenth = (1 << shift) / 10;
        int ids = 0;
        int jumpCount = 0;
        for (int i = 0; i < count; i++) {
            int wanted = live[i];
            int held = reference[i];
            if (wanted < 0 || wanted >= INFINITY || held < 0 || held >= INFINITY) {
                return -1;
            }
            int difference = wanted - held;
            int steps = difference >= 0 ? (difference + half) >>> shift : (tenth - difference) >>> shift;
            boolean fromZero = held < SMALLEST_NORMAL && wanted != held;
            if (steps == 0 && !fromZero) {
                continue;
            }
            int moved = difference < 0 ? held - (steps << shift) : held + (steps << shift);
            block.mask[i >> 3] |= (byte) (1 << (i & 7));
            if (fromZero || steps > 7 || moved < SMALLEST_NORMAL || moved >= INFINITY) {
                int exponent = Math.min((wanted + SMALLEST_NORMAL - 1) >>> 23, LARGEST_EXPONENT);
                block.ids[ids++] = JUMP;
                jumps[jumpCount++] = (byte) exponent;
                reference[i] = exponent << 23;
            } else {
                block.ids[ids++] = (byte) (difference < 0 ? steps | 8 : steps);
                reference[i] = moved;
            }
        }
        block.idCount = ids;
        MemorySegment.copy(reference, 0, r, BITS, 0, count);
        return jumpCount;
    }
}
