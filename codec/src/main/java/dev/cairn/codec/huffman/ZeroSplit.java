package dev.cairn.codec.huffman;

import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorLoop.Trial;

/// Splits bytes into two sequences: flags that say which bytes are not zero (bit i % 8 of flag byte i / 8), and the
/// non-zero bytes.
///
/// With eight flags in a symbol, a flag can cost less than one bit. A Huffman code for the bytes themselves would need
/// at least one bit for each zero.
final class ZeroSplit {
    /// The space that both directions need beyond the last non-zero byte.
    static final int SLACK = 16;

    static final VectorLoop SPLIT = new VectorLoop("split zeros", () -> VectorZeroSplit.isSupported(), () -> {
        var bytes = new ZeroTrial();
        return new Trial(bytes::splitByVectors, bytes::split);
    });
    static final VectorLoop JOIN = new VectorLoop("join zeros", () -> VectorZeroSplit.isSupported());

    private static final long LOW_SEVEN = 0x7F7F_7F7F_7F7F_7F7FL;
    private static final long HIGH = 0x8080_8080_8080_8080L;
    private static final int[] CHOICES = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    private static final long[] EXPANDED = new long[256];

    static {
        for (int flags = 0; flags < 256; flags++) {
            EXPANDED[flags] = Long.expand(flags, HIGH >>> 7) * 0xFF;
        }
    }

    private ZeroSplit() {}

    static int flagBytes(int count) {
        return (count + 7) >>> 3;
    }

    /// Estimates the bits of a flag byte from a sample of one in `every`, as if flag bytes differed only in their
    /// number of flags. The result is low if zeros are clustered.
    static double flagBits(byte[] bytes, int from, int count, int every) {
        int[] sizes = new int[9];
        int total = 0;
        for (int i = from; i <= from + count - 8; i += 8 * every) {
            sizes[Long.bitCount(nonZeroMarks((long) Bytes.LONG.get(bytes, i)))]++;
            total++;
        }
        double bits = 0;
        for (int k = 0; k <= 8; k++) {
            if (sizes[k] > 0) {
                bits += sizes[k] * Math.log((double) total * CHOICES[k] / sizes[k]);
            }
        }
        return total == 0 ? 8 : bits / (total * Math.log(2));
    }

    /// Returns the top bit of each byte that is not zero.
    private static long nonZeroMarks(long x) {
        return (((x & LOW_SEVEN) + LOW_SEVEN) | x) & HIGH;
    }

    /// Writes flags and non-zero bytes, both starting at index 0. Returns the number of non-zero bytes. `nonZero` needs
    /// [#SLACK] more bytes than that.
    static int split(byte[] bytes, int from, int count, byte[] flags, byte[] nonZero) {
        boolean hot = SPLIT.isHot(count);
        int done = hot ? count & -VectorZeroSplit.BLOCK : 0;
        int found = hot ? VectorZeroSplit.split(bytes, from, done, flags, nonZero) : 0;
        return split(bytes, from, done, count, flags, nonZero, found);
    }

    /// Splits the bytes from index `done`, a multiple of eight, with `found` non-zero bytes before it.
    static int split(byte[] bytes, int from, int done, int count, byte[] flags, byte[] nonZero, int found) {
        long p = found;
        int words = count >>> 3;
        for (int i = done >>> 3; i < words; i++) {
            long x = (long) Bytes.LONG.get(bytes, from + 8 * i);
            long high = nonZeroMarks(x);
            flags[i] = (byte) Long.compress(high, HIGH);
            Bytes.LONG.set(nonZero, (int) p, Long.compress(x, (high << 1) - (high >>> 7)));
            p += Long.bitCount(high);
        }
        int next = (int) p;
        if ((count & 7) != 0) {
            int last = 0;
            for (int i = 8 * words; i < count; i++) {
                byte b = bytes[from + i];
                if (b != 0) {
                    last |= 1 << (i & 7);
                    nonZero[next++] = b;
                }
            }
            flags[words] = (byte) last;
        }
        return next;
    }

    /// Returns the number of bytes that the flags mark as non-zero.
    static int countFlags(byte[] flags, int flagBytes) {
        int sum = 0;
        int i = 0;
        for (; i <= flagBytes - 8; i += 8) {
            sum += Long.bitCount((long) Bytes.LONG.get(flags, i));
        }
        for (; i < flagBytes; i++) {
            sum += Integer.bitCount(flags[i] & 0xFF);
        }
        return sum;
    }

    /// The inverse of [#split]. `nonZero` must be readable [#SLACK] bytes beyond its last byte.
    static void join(byte[] flags, byte[] nonZero, byte[] bytes, int at, int count) {
        boolean hot = JOIN.isHot(count);
        int done = hot ? count & -VectorZeroSplit.BLOCK : 0;
        int used = hot ? VectorZeroSplit.join(flags, nonZero, bytes, at, done) : 0;
        join(flags, nonZero, bytes, at, done, count, used);
    }

    static void join(byte[] flags, byte[] nonZero, byte[] bytes, int at, int done, int count, int used) {
        long p = used;
        int words = count >>> 3;
        for (int i = done >>> 3; i < words; i++) {
            int f = flags[i] & 0xFF;
            long x = (long) Bytes.LONG.get(nonZero, (int) p);
            Bytes.LONG.set(bytes, at + 8 * i, Long.expand(x, EXPANDED[f]));
            p += Integer.bitCount(f);
        }
        int next = (int) p;
        for (int i = 8 * words; i < count; i++) {
            bytes[at + i] = ((flags[words] >>> (i & 7)) & 1) != 0 ? nonZero[next++] : 0;
        }
    }
}
