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
/// out of the normal numbers, gets id [#JUMP] and is set to the next power of two.
final class SecondMomentQuantizer {
    /// The id of an element that is set to a power of two.
    static final int JUMP = 8;

    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int SMALLEST_NORMAL = 0x0080_0000;
    private static final int INFINITY = 0x7f80_0000;
    private static final int LARGEST_EXPONENT = 254;

    private SecondMomentQuantizer() {}

    /// Fills `block` and moves `r`; the exponents of those that jump go to `jumps`.
    ///
    /// @param shift the step is `2^shift` of bits: 23 is a doubling
    /// @return how many jump, or −1 where a value is negative or not finite: then `r` is not to be used
    static int quantize(MemorySegment u, MemorySegment r, int count, int shift, QuantizedBlock block, byte[] jumps) {
        block.reset(count);
        Arrays.fill(block.mask, 0, block.maskBytes(), (byte) 0);
        int half = 1 << (shift - 1);
        int tenth = (1 << shift) / 10;
        int ids = 0;
        int jumpCount = 0;
        for (int i = 0; i < count; i++) {
            int wanted = u.get(BITS, 4L * i);
            int reference = r.get(BITS, 4L * i);
            if (wanted < 0 || wanted >= INFINITY || reference < 0 || reference >= INFINITY) {
                return -1;
            }
            int difference = wanted - reference;
            int steps = difference >= 0 ? (difference + half) >>> shift : (tenth - difference) >>> shift;
            boolean fromZero = reference < SMALLEST_NORMAL && wanted != reference;
            if (steps == 0 && !fromZero) {
                continue;
            }
            int moved = difference < 0 ? reference - (steps << shift) : reference + (steps << shift);
            block.mask[i >> 3] |= (byte) (1 << (i & 7));
            if (fromZero || steps > 7 || moved < SMALLEST_NORMAL || moved >= INFINITY) {
                int exponent = Math.min((wanted + SMALLEST_NORMAL - 1) >>> 23, LARGEST_EXPONENT);
                block.ids[ids++] = JUMP;
                jumps[jumpCount++] = (byte) exponent;
                r.set(BITS, 4L * i, exponent << 23);
            } else {
                block.ids[ids++] = (byte) (difference < 0 ? steps | 8 : steps);
                r.set(BITS, 4L * i, moved);
            }
        }
        block.idCount = ids;
        return jumpCount;
    }

    /// What a reader does: moves `r` as the writer did. Returns how many jumped, or −1 where a value would leave its
    /// range or there are fewer jumps than needed, which no writer makes.
    static int apply(QuantizedBlock block, MemorySegment r, int shift, byte[] jumps, int jumpCount) {
        int next = 0;
        int jumped = 0;
        for (int i = 0; i < block.count; i++) {
            if (((block.mask[i >> 3] >>> (i & 7)) & 1) == 0) {
                continue;
            }
            int id = block.ids[next++] & 0xff;
            int moved;
            if (id == JUMP) {
                if (jumped == jumpCount) {
                    return -1;
                }
                moved = (jumps[jumped++] & 0xff) << 23;
            } else {
                int distance = (id & 7) << shift;
                moved = r.get(BITS, 4L * i) + (id > 8 ? -distance : distance);
            }
            if (moved < 0 || moved >= INFINITY) {
                return -1;
            }
            r.set(BITS, 4L * i, moved);
        }
        return jumped;
    }
}
