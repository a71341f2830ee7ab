package dev.cairn.codec.huffman;

import java.util.Arrays;

/// Counts of byte values. Four tables in turn, so that a run of equal bytes does not wait for its own last store.
/// Belongs to one thread and is reused from block to block.
public final class Histogram {
    private static final int TABLES = 4;

    private final int[] tables = new int[TABLES * 256];
    private final int[] counts = new int[256];
    private int total;

    /// Counts every byte of the range.
    public void countAll(byte[] bytes, int from, int count) {
        count(bytes, from, count, Long.BYTES);
    }

    /// Counts the bytes of one eight-byte word in `every`: enough to compare code tables by.
    public void sample(byte[] bytes, int from, int count, int every) {
        count(bytes, from, count, Long.BYTES * every);
    }

    private void count(byte[] bytes, int from, int count, int stride) {
        int[] t = tables;
        Arrays.fill(t, 0);
        int end = from + count;
        int i = from;
        int words = 0;
        for (; i <= end - Long.BYTES; i += stride) {
            long w = (long) Bytes.LONG.get(bytes, i);
            int low = (int) w;
            int high = (int) (w >>> 32);
            t[low & 0xFF]++;
            t[256 + ((low >>> 8) & 0xFF)]++;
            t[512 + ((low >>> 16) & 0xFF)]++;
            t[768 + (low >>> 24)]++;
            t[high & 0xFF]++;
            t[256 + ((high >>> 8) & 0xFF)]++;
            t[512 + ((high >>> 16) & 0xFF)]++;
            t[768 + (high >>> 24)]++;
            words++;
        }
        total = words * Long.BYTES;
        if (stride == Long.BYTES || words == 0) {
            for (; i < end; i++) {
                t[bytes[i] & 0xFF]++;
                total++;
            }
        }
        int[] c = counts;
        for (int s = 0; s < 256; s++) {
            c[s] = t[s] + t[256 + s] + t[512 + s] + t[768 + s];
        }
    }

    /// The counts themselves, 256 of them; overwritten by the next counting.
    public int[] counts() {
        return counts;
    }

    /// How many bytes were counted.
    public int total() {
        return total;
    }

    /// Bits that an ideal coder would need for the counted bytes. Corrected for the smallness of a sample (Miller and
    /// Madow), which otherwise looks easier to code than the whole.
    public double entropyBits() {
        if (total == 0) {
            return 0;
        }
        double sum = 0;
        int used = 0;
        for (int c : counts) {
            if (c > 0) {
                sum += c * Math.log(c);
                used++;
            }
        }
        return (total * Math.log(total) - sum + (used - 1) / 2.0) / Math.log(2);
    }
}
