package dev.cairn.codec.pattern;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Finds the amounts of patterns in the rows of a block. Not thread-safe: its buffers are reused.
public final class AmountFinder {
    private static final int LANES = Patterns.MOST;
    private static final int ROWS = 8;

    /// Added to a small number and subtracted again, it leaves the nearest whole number.
    private static final float WHOLES = 0x1.8p23f;

    private final PatternKernels kernels;
    private final float[] dots = new float[ROWS * LANES];
    private final float[] factors = new float[ROWS * LANES];
    private final float[] amounts = new float[ROWS * LANES];
    private float[] deltas = new float[0];

    /// Creates a finder with its own buffers, for one thread.
    public AmountFinder() {
        this(new WarmPatterns());
    }

    AmountFinder(PatternKernels kernels) {
        this.kernels = kernels;
    }

    /// Finds the amounts that come closest to `u − r`.
    ///
    /// @param start the position of the first element in the matrix
    /// @param length the precision of the amounts: how much an amount of 1 changes a row
    /// @return false if patterns are of no use for this block
    public boolean find(
            MemorySegment u, MemorySegment r, long start, MatrixPatterns target, double length, PatternBlock block) {
        float scale = target.scale(length);
        int count = (int) (u.byteSize() / Float.BYTES);
        int columns = target.patterns().columns();
        int column = (int) (start % columns);
        if (!PatternBlock.isUsable(scale)) {
            return false;
        }
        reserve(columns);
        block.start(target.patterns(), target.index(), column, count, scale);
        for (int i = 0; i < factors.length; i++) {
            factors[i] = (float) (target.inverse(i % LANES) / scale);
        }
        float sum = 0;
        boolean sound = true;
        int rows = PatternBlock.rows(target.patterns(), column, count);
        int element = 0;
        for (int first = 0; first < rows; first += ROWS) {
            int some = Math.min(ROWS, rows - first);
            for (int i = 0; i < some; i++) {
                int from = element == 0 ? column : 0;
                int part = Math.min(columns - from, count - element);
                sound &= load(u, r, element, i * columns, columns, from, part);
                element += part;
            }
            kernels.project(deltas, some, columns, target.lanes(), dots);
            round(dots, factors, amounts);
            for (int i = 0; i < some; i++) {
                sum += block.setAmounts(first + i, amounts, i * LANES);
            }
        }
        // The sum is not a number if a delta is not finite.
        return sound && sum > 0;
    }

    private void reserve(int columns) {
        if (deltas.length < ROWS * columns) {
            deltas = new float[ROWS * columns];
        }
    }

    /// Puts the deltas of a row at index `at`, with zeros for what is not in the block. Returns whether no value of the
    /// reference is subnormal.
    private boolean load(MemorySegment u, MemorySegment r, int element, int at, int columns, int from, int length) {
        if (length < columns) {
            Arrays.fill(deltas, at, at + columns, 0);
        }
        return kernels.subtract(u, r, element, length, deltas, at + from);
    }

    /// Rounds amounts to whole numbers. The compiler makes vector code of it.
    private static void round(float[] dots, float[] factors, float[] amounts) {
        for (int i = 0; i < amounts.length; i++) {
            float amount = Math.min(dots[i] * factors[i], PatternBlock.LARGEST);
            amounts[i] = (Math.max(amount, -PatternBlock.LARGEST) + WHOLES) - WHOLES;
        }
    }
}
