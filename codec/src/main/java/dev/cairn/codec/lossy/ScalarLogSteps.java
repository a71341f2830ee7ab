package dev.cairn.codec.lossy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The plain loop: what the vector one must equal.
final class ScalarLogSteps implements LogKernels {
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int INFINITY = 0x7f80_0000;

    @Override
    public int apply(QuantizedBlock block, MemorySegment r, int shift, byte[] jumps, int jumpCount) {
        return apply(block, 0, 0, r, shift, jumps, 0, jumpCount);
    }

    /// From element `from` on, with `used` ids and `jumped` jumps before it.
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
            if (id == SecondMomentQuantizer.JUMP) {
                if (nextJump == jumpCount) {
                    return -1;
                }
                moved = (jumps[nextJump++] & 0xff) << 23;
            } else {
                int distance = (id & 7) << shift;
                moved = r.get(BITS, 4L * i) + (id > SecondMomentQuantizer.JUMP ? -distance : distance);
            }
            if (moved < 0 || moved >= INFINITY) {
                return -1;
            }
            r.set(BITS, 4L * i, moved);
        }
        return nextJump;
    }
}
