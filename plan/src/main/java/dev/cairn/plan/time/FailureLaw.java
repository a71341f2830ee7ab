package dev.cairn.plan.time;

import java.util.random.RandomGenerator;
import org.apache.commons.numbers.gamma.Gamma;
import org.apache.commons.numbers.gamma.RegularizedGamma;

/// The probability distribution of the time to the next failure, from the start of an attempt.
public sealed interface FailureLaw {
    /// The mean time to a failure, in seconds.
    double mean();

    /// The probability that an attempt runs this long without a failure.
    double survival(double seconds);

    /// The mean time to a failure or to this limit, whichever comes first.
    double meanWithin(double seconds);

    /// Draws a random time to a failure.
    double draw(RandomGenerator random);

    /// The same law with another mean.
    FailureLaw withMean(double seconds);

    /// Failures whose rate does not depend on how long the attempt has run.
    record Exponential(double mean) implements FailureLaw {
        public Exponential {
            checkMean(mean);
        }

        @Override
        public double survival(double seconds) {
            return Math.exp(-seconds / mean);
        }

        @Override
        public double meanWithin(double seconds) {
            return -mean * Math.expm1(-seconds / mean);
        }

        @Override
        public double draw(RandomGenerator random) {
            return mean * random.nextExponential();
        }

        @Override
        public FailureLaw withMean(double seconds) {
            return new Exponential(seconds);
        }
    }

    /// Failures that become rarer the longer an attempt has run (shape below 1, as observed for machines in service),
    /// or more frequent (shape above 1).
    record Weibull(double mean, double shape) implements FailureLaw {
        public Weibull {
            checkMean(mean);
            if (!(shape >= 0.1) || !(shape <= 10)) {
                throw new IllegalArgumentException("the shape of a Weibull law must be from 0.1 to 10: shape=" + shape);
            }
        }

        private double scale() {
            return mean / Gamma.value(1 + 1 / shape);
        }

        @Override
        public double survival(double seconds) {
            return Math.exp(-Math.pow(seconds / scale(), shape));
        }

        @Override
        public double meanWithin(double seconds) {
            return mean * RegularizedGamma.P.value(1 / shape, Math.pow(seconds / scale(), shape));
        }

        @Override
        public double draw(RandomGenerator random) {
            return scale() * Math.pow(random.nextExponential(), 1 / shape);
        }

        @Override
        public FailureLaw withMean(double seconds) {
            return new Weibull(seconds, shape);
        }
    }

    private static void checkMean(double mean) {
        if (!(mean > 0) || Double.isInfinite(mean)) {
            throw new IllegalArgumentException("the mean time between failures must be positive: mean=" + mean);
        }
    }
}
