package dev.cairn.codec.lossy;

import java.util.Arrays;

/// Values that leave the least squared error when every number is replaced by the nearest of them (Lloyd 1957, Max
/// 1960; one-dimensional k-means), found over a histogram.
///
/// Cells are narrow near zero and wider outside, as the square root goes, so that one outlier does not leave a
/// handful of cells for all the rest; within a cell the mean is exact. The search starts where the density's cube
/// root says that the optimum has its values, and is then improved until nothing moves. Not thread-safe: its buffers
/// are reused.
public final class LloydMax {
    /// Cells on each side of zero.
    private static final int SIDE = 1 << 12;

    private static final int ROUNDS = 100;
    private static final double STILL = 1e-6;

    private final long[] counts = new long[2 * SIDE];
    private final double[] sums = new double[2 * SIDE];
    private final double[] means = new double[2 * SIDE];
    private final double[] countsUpTo = new double[2 * SIDE + 1];
    private final double[] sumsUpTo = new double[2 * SIDE + 1];
    private final double[] densityUpTo = new double[2 * SIDE + 1];
    private int cells;
    private double scale;

    /// Whether 0 is one of the values for nothing.
    public enum Zero {
        /// It is, besides those that are asked for.
        GIVEN,
        /// It is one only where the solution has it.
        ABSENT
    }

    /// Begins anew, for numbers up to this magnitude.
    public void begin(float largest) {
        Arrays.fill(counts, 0);
        Arrays.fill(sums, 0);
        scale = largest > 0 ? SIDE / (double) largest * SIDE : 0;
    }

    /// Counts a finite number.
    public void add(float value) {
        int place = Math.min(SIDE - 1, (int) Math.sqrt(Math.abs((double) value) * scale));
        int cell = value < 0 ? SIDE - 1 - place : SIDE + place;
        counts[cell]++;
        sums[cell] += value;
    }

    /// At most so many values other than zero, in ascending order, none below [Floats#SMALLEST_VALUE]; fewer where
    /// fewer do.
    public float[] solve(int most, Zero zero) {
        compact();
        double[] centres = start(zero == Zero.GIVEN ? most + 1 : most, zero);
        for (int round = 0; round < ROUNDS && improve(centres, zero); round++) {}
        float[] values = new float[centres.length];
        int kept = 0;
        for (double centre : centres) {
            float value = (float) centre;
            if (Math.abs(value) >= Floats.SMALLEST_VALUE && (kept == 0 || values[kept - 1] != value)) {
                values[kept++] = value;
            }
        }
        return Arrays.copyOf(values, kept);
    }

    /// Leaves the cells that have something, with running sums.
    private void compact() {
        cells = 0;
        for (int cell = 0; cell < counts.length; cell++) {
            if (counts[cell] > 0) {
                int width = 2 * (cell < SIDE ? SIDE - 1 - cell : cell - SIDE) + 1;
                means[cells] = sums[cell] / counts[cell];
                countsUpTo[cells + 1] = countsUpTo[cells] + counts[cell];
                sumsUpTo[cells + 1] = sumsUpTo[cells] + sums[cell];
                densityUpTo[cells + 1] =
                        densityUpTo[cells] + Math.cbrt((double) counts[cell] * ((double) width * width));
                cells++;
            }
        }
    }

    private double[] start(int wanted, Zero zero) {
        double[] centres = new double[Math.min(wanted, cells)];
        int cell = 0;
        for (int k = 0; k < centres.length; k++) {
            // Each has a cell of its own, and leaves enough for those that follow.
            double place = densityUpTo[cells] * (k + 0.5) / centres.length;
            while (densityUpTo[cell + 1] < place && cell < cells - (centres.length - k)) {
                cell++;
            }
            centres[k] = means[cell++];
            cell = Math.min(cell, cells - 1);
        }
        if (zero == Zero.GIVEN && centres.length > 0) {
            centres[nearestToZero(centres)] = 0;
        }
        return centres;
    }

    /// Moves every value to the mean of what is nearest to it; false where none moved much. A given zero stays.
    private boolean improve(double[] centres, Zero zero) {
        double moved = 0;
        int from = 0;
        for (int k = 0; k < centres.length; k++) {
            int to = k == centres.length - 1 ? cells : firstAbove((centres[k] + centres[k + 1]) / 2, from);
            double weight = countsUpTo[to] - countsUpTo[from];
            if (weight > 0 && !(zero == Zero.GIVEN && centres[k] == 0)) {
                double mean = (sumsUpTo[to] - sumsUpTo[from]) / weight;
                moved = Math.max(moved, Math.abs(mean - centres[k]) / (Math.abs(mean) + Double.MIN_NORMAL));
                centres[k] = mean;
            }
            from = to;
        }
        return moved > STILL;
    }

    private int firstAbove(double border, int from) {
        int found = Arrays.binarySearch(means, from, cells, border);
        return found >= 0 ? found : -found - 1;
    }

    private static int nearestToZero(double[] centres) {
        int nearest = 0;
        for (int k = 1; k < centres.length; k++) {
            if (Math.abs(centres[k]) < Math.abs(centres[nearest])) {
                nearest = k;
            }
        }
        return nearest;
    }
}
