package dev.cairn.codec.pattern;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// [PatternKernels] in plain Java: the oracle for the vector code. Not thread-safe: its buffers are reused.
final class ScalarPatterns implements PatternKernels {
    private static final int LANES = Patterns.MOST;

    private final float[] sums = new float[LANES];
    private float[] values = new float[0];
    private float[] others = new float[0];

    @Override
    public boolean subtract(MemorySegment u, MemorySegment r, int element, int count, float[] deltas, int at) {
        reserve(count);
        MemorySegment.copy(u, F32, 4L * element, values, 0, count);
        MemorySegment.copy(r, F32, 4L * element, others, 0, count);
        // The order of unsigned numbers: the magnitude of zero, minus one, is the largest.
        int smallest = Integer.MAX_VALUE;
        for (int j = 0; j < count; j++) {
            int magnitude = Float.floatToRawIntBits(others[j]) & Integer.MAX_VALUE;
            smallest = Math.min(smallest, (magnitude - 1) ^ Integer.MIN_VALUE);
            values[j] -= others[j];
        }
        System.arraycopy(values, 0, deltas, at, count);
        return (smallest ^ Integer.MIN_VALUE) < 0 || (smallest ^ Integer.MIN_VALUE) >= Patterns.LARGEST_SUBNORMAL;
    }

    @Override
    public void project(float[] deltas, int rows, int columns, float[] lanes, float[] dots) {
        for (int row = 0; row < rows; row++) {
            Arrays.fill(sums, 0);
            for (int j = 0; j < columns; j++) {
                float delta = deltas[row * columns + j];
                int from = j * LANES;
                for (int k = 0; k < LANES; k++) {
                    sums[k] = Math.fma(delta, lanes[from + k], sums[k]);
                }
            }
            System.arraycopy(sums, 0, dots, row * LANES, LANES);
        }
    }

    @Override
    public void add(MemorySegment r, int element, int rows, Patterns patterns, float[] amounts, int at, float scale) {
        int columns = patterns.columns();
        for (int i = 0; i < rows; i++) {
            int first = at + i * patterns.count();
            addPart(r, element + i * columns, 0, columns, patterns, amounts, first, scale);
        }
    }

    /// The same for the columns `from` to `to` of one row.
    void addPart(
            MemorySegment r, int element, int from, int to, Patterns patterns, float[] amounts, int at, float scale) {
        reserve(patterns.columns());
        Arrays.fill(others, from, to, 0);
        for (int k = 0; k < patterns.count(); k++) {
            addProduct(others, patterns.numbers(k), amounts[at + k], from, to);
        }
        MemorySegment.copy(r, F32, 4L * element, values, from, to - from);
        for (int j = from; j < to; j++) {
            values[j] += others[j] * scale;
        }
        MemorySegment.copy(values, from, r, F32, 4L * element, to - from);
    }

    private static void addProduct(float[] sums, float[] numbers, float amount, int from, int to) {
        for (int j = from; j < to; j++) {
            sums[j] += amount * numbers[j];
        }
    }

    private void reserve(int count) {
        if (values.length < count) {
            values = new float[count];
            others = new float[count];
        }
    }
}
