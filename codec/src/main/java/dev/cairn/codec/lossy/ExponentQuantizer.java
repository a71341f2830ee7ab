package dev.cairn.codec.lossy;

import static dev.cairn.codec.lossy.kernel.Floats.F32;

import dev.cairn.codec.lossy.kernel.Floats;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// LC-Checkpoint's quantizer (Chen, Liu, Ren, Jin, *On Efficient Constructions of Checkpoints*, ICML 2020).
///
/// *Exponent quantization*: deltas with the same sign and exponent share a bucket, whose value is the mean of its
/// largest and its smallest member. *Priority promotion*: of these buckets, the `2^x − 1` with the largest values stay
/// (at most 127, because a table has no room for more). All other deltas become 0. Buckets are formed for each block,
/// which keeps more of the small deltas than buckets of a whole tensor would.
///
/// Not thread-safe: the tables are reused from block to block.
final class ExponentQuantizer {
    private static final int BUCKETS = 1 << 9;

    private final float[] smallest = new float[BUCKETS];
    private final float[] largest = new float[BUCKETS];
    private final byte[] idOfBucket = new byte[BUCKETS];
    private final double[] gains = new double[Codebook.MOST + 1];
    private double errorSquares;

    /// Fills `block` with the quantization of `u − r`.
    ///
    /// @param bits x, from 1 to 8
    /// @return the sum of the squared deltas, or NaN if a delta is not finite; the block is then undefined
    double quantize(MemorySegment u, MemorySegment r, int count, int bits, QuantizedBlock block) {
        double squares = findBuckets(u, r, count);
        if (!Double.isFinite(squares)) {
            return Double.NaN;
        }
        fill(u, r, count, bits, block);
        return squares;
    }

    /// The same with the fewest bits whose error is small enough.
    ///
    /// @param share the share of the sum of the squared deltas that may remain
    /// @return as [#quantize]; also NaN if eight bits are not enough
    double quantizeWithin(MemorySegment u, MemorySegment r, int count, double share, QuantizedBlock block) {
        double squares = findBuckets(u, r, count);
        int bits = Double.isFinite(squares) ? fewestBits(u, r, count, (1 - share) * squares, block) : 0;
        if (bits == 0) {
            return Double.NaN;
        }
        fill(u, r, count, bits, block);
        return squares;
    }

    private void fill(MemorySegment u, MemorySegment r, int count, int bits, QuantizedBlock block) {
        block.reset(count);
        promote(Math.min((1 << bits) - 1, Codebook.MOST), block);
        Arrays.fill(block.mask, 0, block.maskBytes(), (byte) 0);
        int ids = 0;
        double errors = 0;
        block.values[0] = 0;
        for (int i = 0; i < count; i++) {
            float delta = u.get(F32, 4L * i) - r.get(F32, 4L * i);
            byte id = idOfBucket[Float.floatToRawIntBits(delta) >>> 23];
            float error = Math.abs(delta) - Math.abs(block.values[id & 0xff]);
            errors += (double) error * error;
            if (id != 0 && delta != 0) {
                block.mask[i >> 3] |= (byte) (1 << (i & 7));
                block.ids[ids++] = id;
            }
        }
        block.idCount = ids;
        errorSquares = errors;
    }

    /// The sum of the squared errors of the block quantized last.
    double errorSquares() {
        return errorSquares;
    }

    private double findBuckets(MemorySegment u, MemorySegment r, int count) {
        Arrays.fill(smallest, Float.POSITIVE_INFINITY);
        Arrays.fill(largest, 0);
        double squares = 0;
        for (int i = 0; i < count; i++) {
            float delta = u.get(F32, 4L * i) - r.get(F32, 4L * i);
            int bucket = Float.floatToRawIntBits(delta) >>> 23;
            float magnitude = Math.abs(delta);
            squares += (double) delta * delta;
            if (magnitude != 0) {
                smallest[bucket] = Math.min(smallest[bucket], magnitude);
                largest[bucket] = Math.max(largest[bucket], magnitude);
            }
        }
        return squares;
    }

    /// Returns the fewest bits, 1 to 8, that reduce the squared error by at least `wanted`, or 0 if eight are not
    /// enough.
    private int fewestBits(MemorySegment u, MemorySegment r, int count, double wanted, QuantizedBlock block) {
        block.reset(count);
        promote(Codebook.MOST, block);
        block.values[0] = 0;
        Arrays.fill(gains, 0);
        for (int i = 0; i < count; i++) {
            float delta = u.get(F32, 4L * i) - r.get(F32, 4L * i);
            int id = idOfBucket[Float.floatToRawIntBits(delta) >>> 23];
            double error = Math.abs(delta) - Math.abs(block.values[id]);
            gains[id] += (double) delta * delta - error * error;
        }
        int kept = 0;
        double gained = 0;
        while (gained < wanted && kept < block.largestId) {
            gained += gains[++kept];
        }
        return gained < wanted ? 0 : Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(kept));
    }

    /// Assigns ids to the buckets with the largest values, and values to the ids. Of two buckets with equal magnitude,
    /// the positive one comes first. The smallest buckets, whose sums could be subnormal numbers, are never kept;
    /// see [Floats#SMALLEST_VALUE].
    private void promote(int most, QuantizedBlock block) {
        Arrays.fill(idOfBucket, (byte) 0);
        int id = 0;
        for (int exponent = 254; exponent >= Floats.SMALLEST_EXPONENT && id < most; exponent--) {
            int positive = exponent;
            int negative = exponent + 256;
            boolean negativeFirst = value(negative) > value(positive);
            id = give(negativeFirst ? negative : positive, id, most, block);
            id = give(negativeFirst ? positive : negative, id, most, block);
        }
        block.largestId = id;
    }

    private int give(int bucket, int id, int most, QuantizedBlock block) {
        if (largest[bucket] == 0 || id == most) {
            return id;
        }
        int next = id + 1;
        idOfBucket[bucket] = (byte) next;
        block.values[next] = bucket < 256 ? value(bucket) : -value(bucket);
        return next;
    }

    /// The value of a bucket. The terms are halved first, so that the sum of two large numbers does not overflow.
    private float value(int bucket) {
        return largest[bucket] == 0 ? 0 : smallest[bucket] * 0.5f + largest[bucket] * 0.5f;
    }
}
