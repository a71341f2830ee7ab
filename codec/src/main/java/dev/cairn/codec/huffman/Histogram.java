package dev.cairn.codec.huffman;

import java.util.Arrays;

/// Counts of byte values. Four tables are used in turn, so that in a run of equal bytes an increment does not wait for
/// the previous store. Belongs to one thread and is reused from block to block.
public final class Histogram {
    private static final int TABLES = 4;

    /// n log2 n for small n. Samples have few larger counts.
    private static final float[] TIMES_LOG2 = new float[2048];

    private static final double LN2 = Math.log(2);

    /// Half a natural unit of information (nat), in bits.
    private static final double HALF_BIT = 0.5 / LN2;

    static {
        for (int n = 1; n < TIMES_LOG2.length; n++) {
            TIMES_LOG2[n] = (float) (n * Math.log(n) / LN2);
        }
    }

    private final int[] tables = new int[TABLES * 256];
    private final int[] counts = new int[256];
    private int total;

    /// Counts every byte of the range.
    public void countAll(byte[] bytes, int from, int count) {
        count(bytes, from, count, Long.BYTES);
    }

    /// Counts the bytes of one eight-byte word in `every`, which is enough to compare code tables.
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

    /// The 256 counts. The next count overwrites them.
    public int[] counts() {
        return counts;
    }

    /// The number of bytes counted.
    public int total() {
        return total;
    }

    /// The number of bits that an ideal coder would need for the counted bytes. The Miller–Madow correction accounts
    /// for small samples, which otherwise look easier to code than the whole.
    public double entropyBits() {
        if (total == 0) {
            return 0;
        }
        double sum = 0;
        int used = 0;
        for (int c : counts) {
            if (c > 0) {
                sum += timesLog2(c);
                used++;
            }
        }
        return timesLog2(total) - sum + (used - 1) * HALF_BIT;
    }

    private static double timesLog2(int n) {
        return n < TIMES_LOG2.length ? TIMES_LOG2[n] : n * Math.log(n) / LN2;
    }

    /// Copies the counts of another histogram, except its count of zeros.
    void copyWithoutZeros(Histogram other) {
        System.arraycopy(other.counts, 0, counts, 0, 256);
        total = other.total - counts[0];
        counts[0] = 0;
    }

    /// Estimates the bits that a Huffman code would need: the entropy, plus the loss if a symbol is more frequent than
    /// all rarer symbols together and still takes a whole bit.
    double huffmanBits() {
        double bits = entropyBits();
        int[] rest = counts.clone();
        int left = total;
        while (left > 0) {
            int top = 0;
            for (int s = 1; s < 256; s++) {
                top = rest[s] > rest[top] ? s : top;
            }
            if (2 * rest[top] < left) {
                break;
            }
            double information = timesLog2(left) - timesLog2(rest[top]) - timesLog2(left - rest[top]);
            bits += left - information;
            left -= rest[top];
            rest[top] = 0;
        }
        return bits;
    }
}
