package dev.cairn.observe.tensorboard;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Counts the weights of a live state, all of them, in ranges of the same width. Values that are not finite are left
/// out. Two passes over the memory, in pieces that stay in the cache. Not thread-safe.
final class WeightHistograms {
    private static final int RANGES = 50;
    private static final int PIECE = 2048;

    private final float[] piece = new float[PIECE];

    /// The histogram of each tensor of weights that has a finite value, by its name.
    Map<String, Histogram> of(List<LiveTensor> state) {
        var histograms = new LinkedHashMap<String, Histogram>();
        for (LiveTensor tensor : state) {
            if (tensor.spec().role() == Role.WEIGHT && isKnown(tensor.spec().type())) {
                add(tensor, histograms);
            }
        }
        return histograms;
    }

    private static boolean isKnown(ElementType type) {
        return switch (type) {
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> true;
            default -> false;
        };
    }

    private void add(LiveTensor tensor, Map<String, Histogram> histograms) {
        long size = tensor.memory().byteSize() / tensor.spec().type().sizeBytes();
        var range = new Range();
        for (long first = 0; first < size; first += PIECE) {
            range.add(piece, load(tensor, first, size));
        }
        if (range.count == 0) {
            return;
        }
        var counts = new Counts(range);
        for (long first = 0; first < size; first += PIECE) {
            counts.add(piece, load(tensor, first, size));
        }
        histograms.put(tensor.spec().key(), counts.histogram());
    }

    /// Reads the next values as float32, and returns how many.
    private int load(LiveTensor tensor, long first, long size) {
        int count = (int) Math.min(PIECE, size - first);
        MemorySegment memory = tensor.memory();
        switch (tensor.spec().type()) {
            case FLOAT32 ->
                MemorySegment.copy(memory, ValueLayout.JAVA_FLOAT_UNALIGNED, first * Float.BYTES, piece, 0, count);
            case FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    piece[i] = (float) memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, (first + i) * Double.BYTES);
                }
            }
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    piece[i] = Float.float16ToFloat(half(memory, first + i));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    piece[i] = Float.intBitsToFloat(half(memory, first + i) << Short.SIZE);
                }
            }
        }
        return count;
    }

    private static short half(MemorySegment memory, long index) {
        return memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, index * Short.BYTES);
    }

    /// The first pass.
    private static final class Range {
        private float least = Float.POSITIVE_INFINITY;
        private float most = Float.NEGATIVE_INFINITY;
        private double sum;
        private double squares;
        private long count;

        void add(float[] values, int size) {
            float smallest = least;
            float largest = most;
            float pieceSum = 0;
            float pieceSquares = 0;
            int finite = 0;
            for (int i = 0; i < size; i++) {
                float value = values[i];
                if (Math.abs(value) <= Float.MAX_VALUE) {
                    smallest = Math.min(smallest, value);
                    largest = Math.max(largest, value);
                    pieceSum += value;
                    pieceSquares += value * value;
                    finite++;
                }
            }
            least = smallest;
            most = largest;
            sum += pieceSum;
            squares += pieceSquares;
            count += finite;
        }
    }

    /// The second pass.
    private static final class Counts {
        private final Range range;
        private final int[] counts;
        private final double scale;

        Counts(Range range) {
            this.range = range;
            this.counts = new int[range.most > range.least ? RANGES : 1];
            this.scale = counts.length / ((double) range.most - range.least);
        }

        void add(float[] values, int size) {
            if (counts.length == 1) {
                return;
            }
            for (int i = 0; i < size; i++) {
                float value = values[i];
                if (Math.abs(value) <= Float.MAX_VALUE) {
                    counts[Math.min(RANGES - 1, (int) ((value - (double) range.least) * scale))]++;
                }
            }
        }

        Histogram histogram() {
            double[] limits = new double[counts.length];
            double[] numbers = new double[counts.length];
            Arrays.setAll(limits, i -> range.least + (i + 1) / scale);
            Arrays.setAll(numbers, i -> counts[i]);
            limits[limits.length - 1] = range.most;
            if (counts.length == 1) {
                numbers[0] = range.count;
            }
            var sums = new Histogram.Sums(range.least, range.most, range.count, range.sum, range.squares);
            return new Histogram(sums, limits, numbers);
        }
    }
}
