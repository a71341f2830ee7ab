package dev.cairn.codec.pattern;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// [PatternKernels] with vectors of sixteen floats. Several rows go together: their sums do
/// not wait for each other, and each number of a pattern is loaded once for all of them. Load this class only if the
/// vector module is present.
final class VectorPatterns implements PatternKernels {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final int LANES = Patterns.MOST;
    private static final int ROWS = 8;

    private final ScalarPatterns scalar = new ScalarPatterns();

    static boolean isSupported() {
        return FloatVector.SPECIES_PREFERRED.length() == LANES;
    }

    @Override
    public boolean subtract(MemorySegment u, MemorySegment r, int element, int count, float[] deltas, int at) {
        IntVector magnitudes = IntVector.broadcast(INTS, Integer.MAX_VALUE);
        IntVector smallest = IntVector.broadcast(INTS, -1);
        int whole = count & -LANES;
        for (int j = 0; j < whole; j += LANES) {
            long from = 4L * (element + j);
            FloatVector before = FloatVector.fromMemorySegment(FLOATS, r, from, LE);
            FloatVector.fromMemorySegment(FLOATS, u, from, LE).sub(before).intoArray(deltas, at + j);
            smallest = smallest.lanewise(
                    VectorOperators.UMIN,
                    before.reinterpretAsInts().and(magnitudes).sub(1));
        }
        boolean sound =
                Integer.compareUnsigned(smallest.reduceLanes(VectorOperators.UMIN), Patterns.LARGEST_SUBNORMAL) >= 0;
        return scalar.subtract(u, r, element + whole, count - whole, deltas, at + whole) && sound;
    }

    @Override
    public void add(MemorySegment r, int element, int rows, Patterns patterns, float[] amounts, int at, float scale) {
        int columns = patterns.columns();
        int count = patterns.count();
        int whole = columns / Patterns.TILE * Patterns.TILE;
        int row = 0;
        for (; row + 4 <= rows; row += 4) {
            int from = element + row * columns;
            addToFour(r, from, columns, whole, patterns.tiles(), count, amounts, at + row * count, scale);
        }
        for (; row < rows; row++) {
            addToOne(r, element + row * columns, whole, patterns.tiles(), count, amounts, at + row * count, scale);
        }
        for (int i = 0; whole < columns && i < rows; i++) {
            int tail = element + i * columns + whole;
            scalar.addPart(r, tail, whole, columns, patterns, amounts, at + i * count, scale);
        }
    }

    private static void addToFour(
            MemorySegment r,
            int element,
            int columns,
            int whole,
            float[] tiles,
            int count,
            float[] amounts,
            int at,
            float scale) {
        FloatVector factor = FloatVector.broadcast(FLOATS, scale);
        int second = at + count;
        int third = second + count;
        int fourth = third + count;
        long row = 4L * columns;
        int tile = 0;
        for (int j = 0; j < whole; j += Patterns.TILE) {
            FloatVector a0 = FloatVector.zero(FLOATS);
            FloatVector a1 = a0;
            FloatVector a2 = a0;
            FloatVector a3 = a0;
            FloatVector b0 = a0;
            FloatVector b1 = a0;
            FloatVector b2 = a0;
            FloatVector b3 = a0;
            for (int k = 0; k < count; k++) {
                FloatVector left = FloatVector.fromArray(FLOATS, tiles, tile);
                FloatVector right = FloatVector.fromArray(FLOATS, tiles, tile + LANES);
                FloatVector x0 = FloatVector.broadcast(FLOATS, amounts[at + k]);
                FloatVector x1 = FloatVector.broadcast(FLOATS, amounts[second + k]);
                FloatVector x2 = FloatVector.broadcast(FLOATS, amounts[third + k]);
                FloatVector x3 = FloatVector.broadcast(FLOATS, amounts[fourth + k]);
                a0 = x0.fma(left, a0);
                b0 = x0.fma(right, b0);
                a1 = x1.fma(left, a1);
                b1 = x1.fma(right, b1);
                a2 = x2.fma(left, a2);
                b2 = x2.fma(right, b2);
                a3 = x3.fma(left, a3);
                b3 = x3.fma(right, b3);
                tile += Patterns.TILE;
            }
            long to = 4L * (element + j);
            addTo(r, to, a0.mul(factor), b0.mul(factor));
            addTo(r, to + row, a1.mul(factor), b1.mul(factor));
            addTo(r, to + 2 * row, a2.mul(factor), b2.mul(factor));
            addTo(r, to + 3 * row, a3.mul(factor), b3.mul(factor));
        }
    }

    private static void addToOne(
            MemorySegment r, int element, int whole, float[] tiles, int count, float[] amounts, int at, float scale) {
        FloatVector factor = FloatVector.broadcast(FLOATS, scale);
        int tile = 0;
        for (int j = 0; j < whole; j += Patterns.TILE) {
            FloatVector left = FloatVector.zero(FLOATS);
            FloatVector right = left;
            for (int k = at; k < at + count; k++) {
                FloatVector amount = FloatVector.broadcast(FLOATS, amounts[k]);
                left = amount.fma(FloatVector.fromArray(FLOATS, tiles, tile), left);
                right = amount.fma(FloatVector.fromArray(FLOATS, tiles, tile + LANES), right);
                tile += Patterns.TILE;
            }
            addTo(r, 4L * (element + j), left.mul(factor), right.mul(factor));
        }
    }

    private static void addTo(MemorySegment r, long at, FloatVector left, FloatVector right) {
        FloatVector.fromMemorySegment(FLOATS, r, at, LE).add(left).intoMemorySegment(r, at, LE);
        long next = at + 4 * LANES;
        FloatVector.fromMemorySegment(FLOATS, r, next, LE).add(right).intoMemorySegment(r, next, LE);
    }

    @Override
    public void project(float[] deltas, int rows, int columns, float[] lanes, float[] dots) {
        int row = 0;
        for (; row + ROWS <= rows; row += ROWS) {
            projectEight(deltas, row * columns, columns, lanes, dots, row * LANES);
        }
        for (; row < rows; row++) {
            projectOne(deltas, row * columns, columns, lanes, dots, row * LANES);
        }
    }

    private static void projectEight(float[] deltas, int at, int columns, float[] lanes, float[] dots, int to) {
        FloatVector s0 = FloatVector.zero(FLOATS);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        FloatVector s4 = s0;
        FloatVector s5 = s0;
        FloatVector s6 = s0;
        FloatVector s7 = s0;
        for (int j = 0; j < columns; j++) {
            FloatVector numbers = FloatVector.fromArray(FLOATS, lanes, j * LANES);
            int from = at + j;
            s0 = FloatVector.broadcast(FLOATS, deltas[from]).fma(numbers, s0);
            s1 = FloatVector.broadcast(FLOATS, deltas[from + columns]).fma(numbers, s1);
            s2 = FloatVector.broadcast(FLOATS, deltas[from + 2 * columns]).fma(numbers, s2);
            s3 = FloatVector.broadcast(FLOATS, deltas[from + 3 * columns]).fma(numbers, s3);
            s4 = FloatVector.broadcast(FLOATS, deltas[from + 4 * columns]).fma(numbers, s4);
            s5 = FloatVector.broadcast(FLOATS, deltas[from + 5 * columns]).fma(numbers, s5);
            s6 = FloatVector.broadcast(FLOATS, deltas[from + 6 * columns]).fma(numbers, s6);
            s7 = FloatVector.broadcast(FLOATS, deltas[from + 7 * columns]).fma(numbers, s7);
        }
        s0.intoArray(dots, to);
        s1.intoArray(dots, to + LANES);
        s2.intoArray(dots, to + 2 * LANES);
        s3.intoArray(dots, to + 3 * LANES);
        s4.intoArray(dots, to + 4 * LANES);
        s5.intoArray(dots, to + 5 * LANES);
        s6.intoArray(dots, to + 6 * LANES);
        s7.intoArray(dots, to + 7 * LANES);
    }

    private static void projectOne(float[] deltas, int at, int columns, float[] lanes, float[] dots, int to) {
        FloatVector sum = FloatVector.zero(FLOATS);
        for (int j = 0; j < columns; j++) {
            sum = FloatVector.broadcast(FLOATS, deltas[at + j])
                    .fma(FloatVector.fromArray(FLOATS, lanes, j * LANES), sum);
        }
        sum.intoArray(dots, to);
    }
}
