package dev.cairn.codec.pattern;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/// A float32 matrix before and after a change of which the rows have a few directions in common.
public final class LowRank {
    /// The standard deviation of what the rows do not have in common.
    public static final float NOISE = 0.001f;

    private static final float COMMON = 0.002f;

    private final int rows;
    private final int columns;
    private final MemorySegment live;
    private final MemorySegment before;

    /// @param rank the number of directions
    public LowRank(int rows, int columns, int rank, long seed) {
        this.rows = rows;
        this.columns = columns;
        this.live = Arena.ofAuto().allocate(4L * rows * columns, 4);
        this.before = Arena.ofAuto().allocate(4L * rows * columns, 4);
        var random = new Random(seed);
        float[][] directions = gaussian(rank, columns, random);
        float[][] amounts = gaussian(rows, rank, random);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                double change = NOISE * random.nextGaussian();
                for (int k = 0; k < rank; k++) {
                    change += COMMON * amounts[i][k] * directions[k][j];
                }
                float weight = (float) (0.03 * random.nextGaussian());
                int at = i * columns + j;
                before.setAtIndex(ValueLayout.JAVA_FLOAT, at, weight);
                live.setAtIndex(ValueLayout.JAVA_FLOAT, at, (float) (weight + change));
            }
        }
    }

    private static float[][] gaussian(int rows, int columns, Random random) {
        float[][] numbers = new float[rows][columns];
        for (float[] row : numbers) {
            for (int j = 0; j < columns; j++) {
                row[j] = (float) random.nextGaussian();
            }
        }
        return numbers;
    }

    public MemorySegment live() {
        return live;
    }

    public MemorySegment before() {
        return before;
    }

    public int columns() {
        return columns;
    }

    /// Every other row, beginning with this one.
    public PatternSearch.Rows everyOther(int first) {
        int count = rows / 2;
        float[] deltas = new float[count * columns];
        for (int i = 0; i < deltas.length; i++) {
            long at = (2L * (i / columns) + first) * columns + i % columns;
            deltas[i] = live.getAtIndex(ValueLayout.JAVA_FLOAT, at) - before.getAtIndex(ValueLayout.JAVA_FLOAT, at);
        }
        return new PatternSearch.Rows(deltas, count);
    }
}
