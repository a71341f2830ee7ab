package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.DeltaExponents;
import dev.cairn.codec.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/// Some values, as float32, of some tensors and of their references. The positions are always the same, so that
/// samples of two checkpoints can be compared. Small tensors are sampled whole. Large ones are sampled in short runs
/// at positions without a period, because a regular stride would hit the same columns of a matrix again and again.
final class StateSample {
    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(LE);
    private static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(LE);
    private static final ValueLayout.OfShort F16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LE);
    private static final int WHOLE_UP_TO = 8192;
    private static final int RUN = 64;
    private static final int WIDEST_WINDOW = 4096;
    private static final int MOST = 1 << 18;
    private static final int EXPONENTS = 256;

    private final float[] live;
    private final float[] reference;
    /// The end of each tensor's part, and the number of elements that one of its samples represents.
    private final int[] ends;
    private final double[] weights;

    /// Two memory regions of a floating-point type.
    record Pair(ElementType type, MemorySegment live, MemorySegment reference) {
        long elements() {
            return live.byteSize() / type.sizeBytes();
        }
    }

    private StateSample(float[] live, float[] reference, int[] ends, double[] weights) {
        this.live = live;
        this.reference = reference;
        this.ends = ends;
        this.weights = weights;
    }

    static StateSample of(List<Pair> tensors) {
        long elements = tensors.stream().mapToLong(Pair::elements).sum();
        int widest = (int) Math.max(WIDEST_WINDOW, RUN * elements / MOST);
        float[] live = new float[1024];
        float[] reference = new float[1024];
        int[] ends = new int[tensors.size()];
        double[] weights = new double[tensors.size()];
        int count = 0;
        for (int t = 0; t < ends.length; t++) {
            Pair pair = tensors.get(t);
            long size = pair.elements();
            int window = size <= WHOLE_UP_TO ? RUN : (int) Math.min(widest, size * RUN / WHOLE_UP_TO);
            int start = count;
            for (long from = 0; from < size; from += window) {
                long first = from + jitter(from, Math.min(window, size - from) - RUN);
                int run = (int) Math.min(RUN, size - first);
                if (live.length < count + run) {
                    live = Arrays.copyOf(live, 2 * live.length);
                    reference = Arrays.copyOf(reference, 2 * reference.length);
                }
                copy(pair.type(), pair.live(), first, live, count, run);
                copy(pair.type(), pair.reference(), first, reference, count, run);
                count += run;
            }
            ends[t] = count;
            weights[t] = count == start ? 0 : (double) size / (count - start);
        }
        return new StateSample(Arrays.copyOf(live, count), Arrays.copyOf(reference, count), ends, weights);
    }

    private static void copy(ElementType type, MemorySegment from, long first, float[] to, int at, int count) {
        switch (type) {
            case FLOAT32 -> MemorySegment.copy(from, F32, 4 * first, to, at, count);
            case FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = (float) from.get(F64, 8 * (first + i));
                }
            }
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = Float.float16ToFloat(from.get(F16, 2 * (first + i)));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = Float.intBitsToFloat(from.get(F16, 2 * (first + i)) << 16);
                }
            }
            case INT64,
                    INT32,
                    INT16,
                    INT8,
                    UINT8,
                    BOOL,
                    UINT64,
                    UINT32,
                    UINT16,
                    COMPLEX64,
                    FLOAT8_E4M3FN,
                    FLOAT8_E5M2,
                    FLOAT8_E4M3FNUZ,
                    FLOAT8_E5M2FNUZ,
                    FLOAT8_E8M0FNU -> throw new IllegalArgumentException(type.label() + " cannot be sampled");
        }
    }

    /// An estimate of the sum of the squares of all live values.
    double stateSquares() {
        double squares = 0;
        int i = 0;
        for (int t = 0; t < ends.length; t++) {
            double part = 0;
            for (; i < ends[t]; i++) {
                part += Float.isFinite(live[i]) ? (double) live[i] * live[i] : 0;
            }
            squares += weights[t] * part;
        }
        return squares;
    }

    int size() {
        return live.length;
    }

    /// An estimate of the sum of the squared changes of all live values since another sample.
    double changeSquares(StateSample before) {
        double squares = 0;
        int i = 0;
        for (int t = 0; t < ends.length; t++) {
            double part = 0;
            for (; i < ends[t]; i++) {
                double change = (double) live[i] - before.live[i];
                part += Double.isFinite(change) ? change * change : 0;
            }
            squares += weights[t] * part;
        }
        return squares;
    }

    /// An estimate of the sum of the squares of all deltas.
    double deltaSquares() {
        double squares = 0;
        int i = 0;
        for (int t = 0; t < ends.length; t++) {
            double part = 0;
            for (; i < ends[t]; i++) {
                double delta = live[i] - reference[i];
                part += Double.isFinite(delta) ? delta * delta : 0;
            }
            squares += weights[t] * part;
        }
        return squares;
    }

    /// An estimate of the remaining squared error of all deltas if the deltas with the same exponent become one
    /// value, the mean of the largest and the smallest.
    double leastBucketError() {
        double[] smallest = new double[EXPONENTS];
        double[] largest = new double[EXPONENTS];
        double[] counts = new double[EXPONENTS];
        double[] sums = new double[EXPONENTS];
        double[] squares = new double[EXPONENTS];
        Arrays.fill(smallest, Double.POSITIVE_INFINITY);
        int i = 0;
        for (int t = 0; t < ends.length; t++) {
            for (; i < ends[t]; i++) {
                float size = Math.abs(live[i] - reference[i]);
                int exponent = Float.floatToRawIntBits(size) >>> 23;
                smallest[exponent] = Math.min(smallest[exponent], size);
                largest[exponent] = Math.max(largest[exponent], size);
                counts[exponent] += weights[t];
                sums[exponent] += weights[t] * size;
                squares[exponent] += weights[t] * size * size;
            }
        }
        double error = 0;
        for (int exponent = 0; exponent < EXPONENTS - 1; exponent++) {
            double value = counts[exponent] == 0 ? 0 : (smallest[exponent] + largest[exponent]) / 2;
            error += Math.max(0, squares[exponent] - 2 * value * sums[exponent] + value * value * counts[exponent]);
        }
        return error;
    }

    /// An estimate of how many deltas have which exponent.
    DeltaExponents deltaExponents() {
        double[] counts = new double[EXPONENTS];
        double unchanged = 0;
        int i = 0;
        for (int t = 0; t < ends.length; t++) {
            for (; i < ends[t]; i++) {
                float size = Math.abs(live[i] - reference[i]);
                if (size == 0) {
                    unchanged += weights[t];
                } else {
                    counts[Float.floatToRawIntBits(size) >>> 23] += weights[t];
                }
            }
        }
        var exponents = new TreeMap<Integer, Double>();
        for (int exponent = 0; exponent < EXPONENTS - 1; exponent++) { // the last one is that of no number
            if (counts[exponent] > 0) {
                exponents.put(exponent - Float.MAX_EXPONENT, counts[exponent]);
            }
        }
        return new DeltaExponents(exponents, unchanged);
    }

    /// The finite deltas by size.
    Bins deltaBins() {
        return deltaBins(_ -> true);
    }

    /// The finite deltas of some tensors by size.
    ///
    /// @param chosen which tensors, by position
    Bins deltaBins(IntPredicate chosen) {
        var bins = new Bins();
        for (int t = 0; t < ends.length; t++) {
            if (chosen.test(t)) {
                for (int i = t == 0 ? 0 : ends[t - 1]; i < ends[t]; i++) {
                    bins.add(live[i] - reference[i], weights[t]);
                }
            }
        }
        return bins;
    }

    /// Sums over deltas of about the same magnitude, smallest first. Deltas whose floats have the same exponent and
    /// the same eight bits after it share a bin.
    static final class Bins {
        private static final int SHIFT = 15;
        static final int COUNT = 0x7f80_0000 >>> SHIFT;

        final double[] counts = new double[COUNT];
        final double[] sums = new double[COUNT];
        final double[] squares = new double[COUNT];

        private void add(float delta, double weight) {
            float size = Math.abs(delta);
            if (Float.isFinite(size)) {
                int bin = Float.floatToRawIntBits(size) >>> SHIFT;
                counts[bin] += weight;
                sums[bin] += weight * size;
                squares[bin] += weight * size * size;
            }
        }

        void addAll(float[] deltas, double weight) {
            for (float delta : deltas) {
                add(delta, weight);
            }
        }

        /// The smallest magnitude in a bin.
        static float lowerEnd(int bin) {
            return Float.intBitsToFloat(bin << SHIFT);
        }
    }

    /// A position from 0 to `room`, different for each window but always the same for one window.
    private static long jitter(long window, long room) {
        if (room <= 0) {
            return 0;
        }
        long hash = window * 0x9e3779b97f4a7c15L;
        hash ^= hash >>> 32;
        return Long.remainderUnsigned(hash * 0xd6e8feb86659fd93L, room + 1);
    }
}
