package dev.cairn.codec.lossy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Quantizes values that are never negative, such as Adam's second moment, in steps of their logarithm.
///
/// The bits of a non-negative float, read as an integer, grow with its logarithm (base 2, times 2²³, within 9 % of a
/// doubling). So the delta is taken between bit patterns and the reference moves by whole multiples of `2^shift`:
/// integer
/// arithmetic, exact on every thread; never negative; the relative error is bounded by half a step whatever the
/// magnitude.
/// An element that would have to move more than seven steps, or out of range, gets id [#EXACT] and its bits as they
/// are.
final class SecondMomentQuantizer {
    /// The id of an element whose exact bits are listed.
    static final int EXACT = 8;

    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int INFINITY = 0x7f80_0000;

    private SecondMomentQuantizer() {}

    /// Fills `block` and moves `r`; the exact ones go to `exact`.
    ///
    /// @param shift the step is `2^shift` of bits: 22 is half a doubling
    /// @return how many are exact, or −1 where a value is negative or not finite: then `r` is not to be used
    static int quantize(MemorySegment u, MemorySegment r, int count, int shift, QuantizedBlock block, int[] exact) {
        block.reset(count);
        Arrays.fill(block.mask, 0, block.maskBytes(), (byte) 0);
        int half = 1 << (shift - 1);
        int ids = 0;
        int exacts = 0;
        for (int i = 0; i < count; i++) {
            int wanted = u.get(BITS, 4L * i);
            int reference = r.get(BITS, 4L * i);
            if (wanted < 0 || wanted >= INFINITY || reference < 0 || reference >= INFINITY) {
                return -1;
            }
            int difference = wanted - reference;
            int steps = (Math.abs(difference) + half) >>> shift;
            if (steps == 0) {
                continue;
            }
            int moved = difference < 0 ? reference - (steps << shift) : reference + (steps << shift);
            block.mask[i >> 3] |= (byte) (1 << (i & 7));
            if (steps > 7 || moved < 0 || moved >= INFINITY) {
                block.ids[ids++] = EXACT;
                exact[exacts++] = wanted;
                r.set(BITS, 4L * i, wanted);
            } else {
                block.ids[ids++] = (byte) (difference < 0 ? steps | 8 : steps);
                r.set(BITS, 4L * i, moved);
            }
        }
        block.idCount = ids;
        return exacts;
    }

    /// What a reader does: moves `r` as the writer did. Returns how many of `exact` were used, or −1 where a value
    /// would
    /// leave its range, which no writer makes.
    static int apply(QuantizedBlock block, MemorySegment r, int shift, int[] exact, int exactCount) {
        int next = 0;
        int exacts = 0;
        for (int i = 0; i < block.count; i++) {
            if (((block.mask[i >> 3] >>> (i & 7)) & 1) == 0) {
                continue;
            }
            int id = block.ids[next++] & 0xff;
            int moved;
            if (id == EXACT) {
                if (exacts == exactCount) {
                    return -1;
                }
                moved = exact[exacts++];
            } else {
                int distance = (id & 7) << shift;
                moved = r.get(BITS, 4L * i) + (id > 8 ? -distance : distance);
            }
            if (moved < 0 || moved >= INFINITY) {
                return -1;
            }
            r.set(BITS, 4L * i, moved);
        }
        return exacts;
    }
}
