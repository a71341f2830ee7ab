package dev.cairn.checkpoint.encode;

import dev.cairn.codec.lossy.kernel.UniformSetting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Chooses the step of the uniform quantizer so that the error of a checkpoint is as large as allowed, and places the
/// quantized values where the deltas are.
///
/// It computes the error of a step on a sample of the deltas, and takes the largest step whose error is small enough.
/// Measured on MNIST networks, the error is within 3 % of the target (standard deviation).
final class StepRule {
    private static final int CELLS = UniformSetting.MAGNITUDES + 1;
    private static final double LARGEST_STEP = 20;
    private static final double SMALLEST_STEP = 1e-3;
    private static final double SCAN = 1.15;
    private static final int BISECTIONS = 20;

    private StepRule() {}

    /// A setting, and the sum of squared errors that the sample predicts for it.
    record Choice(UniformSetting setting, double errorSquares) {}

    /// The setting for a checkpoint with these values: the largest step whose error is at most the wanted error, or
    /// the step with the least error if there is none.
    static Choice choose(StateSample.Bins bins, double wantedSquares) {
        var deltas = new Deltas(bins);
        double rms = Math.sqrt(deltas.totalSquares() / Math.max(deltas.totalWeight(), 1));
        double step = rms == 0 ? 1e-30 : Math.clamp(largestStep(deltas, rms, wantedSquares), 1e-30, 1e30);
        return new Choice(deltas.setting((float) step), deltas.errorSquares(step));
    }

    /// Searches from large to small: the last cell holds all larger deltas, so the error of very small steps is
    /// large again.
    private static double largestStep(Deltas deltas, double rms, double wantedSquares) {
        double best = rms;
        double bestSquares = Double.POSITIVE_INFINITY;
        for (double step = LARGEST_STEP * rms; step > SMALLEST_STEP * rms; step /= SCAN) {
            double squares = deltas.errorSquares(step);
            if (squares < bestSquares) {
                bestSquares = squares;
                best = step;
            }
            if (squares <= wantedSquares) {
                return bisect(deltas, step, step * SCAN, wantedSquares);
            }
        }
        return best;
    }

    private static double bisect(Deltas deltas, double good, double tooLarge, double wantedSquares) {
        double low = good;
        double high = tooLarge;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (deltas.errorSquares(middle) <= wantedSquares) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The sampled deltas in bins by size, with running sums of weights, magnitudes and squares.
    private static final class Deltas {
        /// The lower ends of the bins that are not empty.
        private final double[] sizes;
        private final double[] weights;
        private final double[] sums;
        private final double[] squares;

        Deltas(StateSample.Bins bins) {
            int[] filled = IntStream.range(0, StateSample.Bins.COUNT)
                    .filter(bin -> bins.counts[bin] > 0)
                    .toArray();
            int n = filled.length;
            sizes = new double[n];
            weights = new double[n + 1];
            sums = new double[n + 1];
            squares = new double[n + 1];
            for (int i = 0; i < n; i++) {
                int bin = filled[i];
                sizes[i] = StateSample.Bins.lowerEnd(bin);
                weights[i + 1] = weights[i] + bins.counts[bin];
                sums[i + 1] = sums[i] + bins.sums[bin];
                squares[i + 1] = squares[i] + bins.squares[bin];
            }
        }

        double totalWeight() {
            return weights[sizes.length];
        }

        double totalSquares() {
            return squares[sizes.length];
        }

        /// The error that remains if the values are the means of their cells.
        double errorSquares(double step) {
            int from = cellEnd(0, step);
            double error = squares[from];
            for (int magnitude = 1; magnitude < CELLS; magnitude++) {
                int to = cellEnd(magnitude, step);
                double weight = weights[to] - weights[from];
                double sum = sums[to] - sums[from];
                if (weight > 0) {
                    error += Math.max(0, squares[to] - squares[from] - sum * sum / weight);
                }
                from = to;
            }
            return error;
        }

        UniformSetting setting(float step) {
            UniformSetting middles = UniformSetting.ofStep(step);
            var values = new ArrayList<Float>();
            int from = cellEnd(0, step);
            for (int magnitude = 1; magnitude < CELLS; magnitude++) {
                int to = cellEnd(magnitude, step);
                double weight = weights[to] - weights[from];
                float mean = weight > 0 ? (float) ((sums[to] - sums[from]) / weight) : 0;
                values.add(mean >= Float.MIN_NORMAL ? mean : middles.values().get(magnitude - 1));
                from = to;
            }
            return new UniformSetting(step, values);
        }

        /// The number of bins in this cell or a smaller one.
        private int cellEnd(int magnitude, double step) {
            if (magnitude == UniformSetting.MAGNITUDES) {
                return sizes.length;
            }
            int found = Arrays.binarySearch(sizes, UniformSetting.lowerEnd(magnitude + 1) * step);
            return found >= 0 ? found : -found - 1;
        }
    }
}
