package dev.cairn.jmh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.SplittableRandom;

/// State such as Adam leaves of a multilayer perceptron, the same in every run, without a training or a download.
///
/// Weights are normal with a deviation of one over the root of the fan-in. In ten steps each moves by a change that is
/// Laplace distributed, times a factor of its row (a unit) and one of its column (an input), both log-normal: the tails
/// are heavy, and what is large keeps together. Inputs that are always dark and units that never fire get no gradient:
/// their weights do not change at all, and their second moments are 0.
///
/// A second moment `v` becomes `0.99 v` plus a hundredth of the newest squared gradients. The reader's was moved in
/// doublings: it is off by up to what the quantizer lets pass.
final class SyntheticTraining {
    private static final int[][] LAYERS = {{784, 2048}, {2048, 2048}, {2048, 2048}};
    private static final double DARK_INPUTS = 0.15;
    private static final double SILENT_UNITS = 0.03;
    private static final double FACTOR_SPREAD = 0.4;
    private static final double TYPICAL_CHANGE = 2.5e-4;
    private static final double TYPICAL_GRADIENT = 1e-4;

    /// The half-open range of `held / v`, as a power of two, that the reader's value may have drifted by.
    private static final double LOWEST_DRIFT = -0.5;

    private static final double HIGHEST_DRIFT = 0.9;

    private final SplittableRandom random = new SplittableRandom(42);
    private final Random normal = Random.from(random.split());

    private interface Element {
        /// Sets element `i`, whose row and column have this factor together; 0 where no gradient ever comes.
        void set(long i, int fanIn, double factor);
    }

    void fillWeights(MemorySegment live, MemorySegment parent) {
        forEach(live.byteSize() / Float.BYTES, (i, fanIn, factor) -> {
            float before = (float) (normal.nextGaussian() / Math.sqrt(fanIn));
            double laplace = (random.nextBoolean() ? 1 : -1) * normal.nextExponential();
            float after = before + (float) (TYPICAL_CHANGE * factor * laplace);
            parent.setAtIndex(ValueLayout.JAVA_FLOAT, i, before);
            live.setAtIndex(ValueLayout.JAVA_FLOAT, i, after);
        });
    }

    void fillSecondMoments(MemorySegment live, MemorySegment parent) {
        forEach(live.byteSize() / Float.BYTES, (i, fanIn, factor) -> {
            double gradient = TYPICAL_GRADIENT * factor * Math.exp(FACTOR_SPREAD * normal.nextGaussian());
            double before = gradient * gradient;
            double newest = normal.nextExponential();
            double after = 0.99 * before + 0.01 * before * newest * newest;
            double drift = random.nextDouble(LOWEST_DRIFT, HIGHEST_DRIFT);
            parent.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (before * Math.pow(2, drift)));
            live.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) after);
        });
    }

    /// One layer after the other, again and again, until there are so many elements.
    private void forEach(long count, Element element) {
        long i = 0;
        for (int layer = 0; i < count; layer = (layer + 1) % LAYERS.length) {
            int fanIn = LAYERS[layer][0];
            int units = LAYERS[layer][1];
            double[] columns = factors(fanIn, layer == 0 ? DARK_INPUTS : SILENT_UNITS);
            double[] rows = factors(units, SILENT_UNITS);
            for (int row = 0; row < units; row++) {
                for (int column = 0; column < fanIn && i < count; column++, i++) {
                    element.set(i, fanIn, rows[row] * columns[column]);
                }
            }
        }
    }

    private double[] factors(int count, double shareOfZeros) {
        double[] factors = new double[count];
        for (int i = 0; i < count; i++) {
            double factor = Math.exp(FACTOR_SPREAD * normal.nextGaussian());
            factors[i] = random.nextDouble() < shareOfZeros ? 0 : factor;
        }
        return factors;
    }
}
