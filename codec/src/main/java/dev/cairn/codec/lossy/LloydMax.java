package dev.cairn.codec.lossy;

import dev.cairn.codec.lossy.kernel.Floats;
import java.util.Arrays;

/// Finds the values with the least squared error if every number is replaced by the nearest of them (Lloyd 1957, Max
/// 1960; one-dimensional k-means), from a histogram.
///
/// Cells are narrow near zero and wider outside, following the square root, so that one outlier does not leave only a
/// handful of cells for all other numbers. Within a cell, the mean is exact. The search starts from the optimum
/// predicted by the cube root of the density, and then improves it until nothing moves. Not thread-safe: its buffers
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

    /// Whether 0 is a value in addition to those asked for.
    public enum Zero {
        /// 0 is an additional value.
        GIVEN,
        /// 0 is a value only if it is part of the solution.
        ABSENT
    }

    /// Starts a new search, for numbers up to this magnitude.
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

    /// Returns at most this many values other than zero, in ascending order, none with a magnitude below
    /// [Floats#SMALLEST_VALUE]. Returns fewer if fewer are enough.
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

    /// Keeps the cells that are not empty, with running sums.
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
            // Each centre has its own cell, and leaves enough cells for the centres that follow.
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

    /// Moves every value to the mean of the numbers nearest to it. A given zero stays. Returns false if no value moved
    /// much.
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
