package dev.cairn.codec.lossy.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The scalar loops, whose results the vector loops must equal. Memory is copied in bulk, through arrays.
final class ScalarLogSteps implements LogKernels {
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private int[] live = new int[0];
    private int[] reference = new int[0];

    @Override
    public int quantize(MemorySegment u, MemorySegment r, int count, int shift, QuantizedBlock block, byte[] jumps) {
        block.reset(count);
        return quantize(u, r, 0, shift, block, jumps, 0);
    }

    /// Quantizes from element `from`, a multiple of 8, with `jumped` jumps before it. The block already has the ids of
    /// the earlier elements.
    int quantize(
            MemorySegment u, MemorySegment r, int from, int shift, QuantizedBlock block, byte[] jumps, int jumped) {
        int count = block.count - from;
        reserve(count);
        Arrays.fill(block.mask, from >> 3, block.maskBytes(), (byte) 0);
        MemorySegment.copy(u, BITS, 4L * from, live, 0, count);
        MemorySegment.copy(r, BITS, 4L * from, reference, 0, count);
        int half = 1 << (shift - 1);
        int tenth = (1 << shift) / 10;
        int ids = block.idCount;
        int jumpCount = jumped;
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
            block.mask[(from + i) >> 3] |= (byte) (1 << (i & 7));
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
        MemorySegment.copy(reference, 0, r, BITS, 4L * from, count);
        return jumpCount;
    }

    private void reserve(int count) {
        if (live.length < count) {
            live = new int[count];
            reference = new int[count];
        }
    }

    @Override
    public int apply(QuantizedBlock block, MemorySegment r, int shift, byte[] jumps, int jumpCount) {
        return apply(block, 0, 0, r, shift, jumps, 0, jumpCount);
    }

    /// Applies from element `from`, with `used` ids and `jumped` jumps before it.
    int apply(
            QuantizedBlock block,
            int from,
            int used,
            MemorySegment r,
            int shift,
            byte[] jumps,
            int jumped,
            int jumpCount) {
        int next = used;
        int nextJump = jumped;
        for (int i = from; i < block.count; i++) {
            if (((block.mask[i >> 3] >>> (i & 7)) & 1) == 0) {
                continue;
            }
            int id = block.ids[next++] & 0xff;
            int moved;
            if (id == JUMP) {
                if (nextJump == jumpCount) {
                    return -1;
                }
                moved = (jumps[nextJump++] & 0xff) << 23;
            } else {
                int distance = (id & 7) << shift;
                moved = r.get(BITS, 4L * i) + (id > JUMP ? -distance : distance);
            }
            if (moved < 0 || moved >= INFINITY) {
                return -1;
            }
            r.set(BITS, 4L * i, moved);
        }
        return nextJump;
    }
}
