package dev.cairn.codec.huffman;

import java.util.Arrays;

/// Adaptive binary arithmetic coding, for code tables only: compact, but not fast. Each context keeps the probability
/// of a 1. At its n-th use, the probability moves by 1/(n + 1.5) of the way, and never by less than 1/24.
abstract sealed class BitModel {
    private static final int CONTEXTS = 128;
    private static final int ONE_BITS = 16;

    private final int[] probability = new int[CONTEXTS];
    private final int[] uses = new int[CONTEXTS];

    private BitModel() {
        Arrays.fill(probability, 1 << (ONE_BITS - 1));
    }

    /// A writer writes `bit` and returns it. A reader ignores it and returns the bit that it read.
    abstract int decide(int context, int bit);

    /// The share of `range` that means 1, never all and never nothing.
    final int share(int context, int range) {
        return (int) (((range & 0xFFFF_FFFFL) * probability[context]) >>> ONE_BITS);
    }

    final void learn(int context, int bit) {
        int n = Math.min(uses[context]++, 22);
        int target = bit == 1 ? (1 << ONE_BITS) - 512 : 512;
        probability[context] += (target - probability[context]) * 2 / (2 * n + 3);
    }

    /// A carry-propagating range coder with 32-bit ranges (as in LZMA). It omits trailing zero bytes.
    static final class Writer extends BitModel {
        private byte[] bytes = new byte[64];
        private int size;
        private long low;
        private int range = -1;

        Writer(int firstByte) {
            bytes[size++] = (byte) firstByte;
        }

        @Override
        int decide(int context, int bit) {
            int ones = share(context, range);
            if (bit == 1) {
                range = ones;
            } else {
                low += ones & 0xFFFF_FFFFL;
                range -= ones;
            }
            learn(context, bit);
            while (Integer.compareUnsigned(range, 1 << 24) < 0) {
                range <<= 8;
                shift();
            }
            return bit;
        }

        private void shift() {
            if (low > 0xFFFF_FFFFL) {
                int at = size - 1;
                while (bytes[at]++ == -1) {
                    at--;
                }
            }
            if (size == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * size);
            }
            bytes[size++] = (byte) (low >>> 24);
            low = (low << 8) & 0xFFFF_FFFFL;
        }

        /// Any number from low to low + range can end the code. The one with the most trailing zeros is used.
        byte[] toBytes() {
            long top = low + (range & 0xFFFF_FFFFL) - 1;
            for (int zeros = 32; zeros >= 0; zeros -= 8) {
                long candidate = top >>> zeros << zeros;
                if (candidate >= low) {
                    low = candidate;
                    break;
                }
            }
            for (int i = 0; i < 4; i++) {
                shift();
            }
            int end = size;
            while (end > 1 && bytes[end - 1] == 0) {
                end--;
            }
            return Arrays.copyOf(bytes, end);
        }
    }

    /// Reads any bytes as decisions, and zeros after their end. The caller must check the result.
    static final class Reader extends BitModel {
        private final byte[] bytes;
        private final int end;
        private int at;
        private int code;
        private int range = -1;

        Reader(byte[] bytes, int from, int to) {
            this.bytes = bytes;
            this.at = from;
            this.end = to;
            for (int i = 0; i < 4; i++) {
                code = (code << 8) | next();
            }
        }

        private int next() {
            return at < end ? bytes[at++] & 0xFF : 0;
        }

        @Override
        int decide(int context, int bit) {
            int ones = share(context, range);
            int read;
            if (Integer.compareUnsigned(code, ones) < 0) {
                range = ones;
                read = 1;
            } else {
                code -= ones;
                range -= ones;
                read = 0;
            }
            learn(context, read);
            while (Integer.compareUnsigned(range, 1 << 24) < 0) {
                range <<= 8;
                code = (code << 8) | next();
            }
            return read;
        }
    }
}
