package dev.cairn.plan.simulation;

import dev.cairn.plan.time.FailureLaw;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// When a simulated run fails, in seconds since its start.
interface FailureTimes {
    /// Returns the first failure of an attempt that starts at this time.
    Failure firstAfter(double start);

    /// A failure of a run.
    ///
    /// @param node whether a node is lost, with everything it stored
    record Failure(double time, boolean node) {}

    /// One machine that counts as new after each failure.
    record Renewal(FailureLaw law, RandomGenerator random) implements FailureTimes {
        @Override
        public Failure firstAfter(double start) {
            return new Failure(start + law.draw(random), true);
        }
    }

    /// Recorded failure times. After the last, they repeat from the first.
    final class Recorded implements FailureTimes {
        private final double[] times;

        /// @param times ascending, in seconds
        Recorded(List<Double> times) {
            this.times = times.stream().mapToDouble(Double::doubleValue).toArray();
        }

        @Override
        public Failure firstAfter(double start) {
            double period = times[times.length - 1];
            double round = Math.floor(start / period) * period;
            int at = Arrays.binarySearch(times, start - round);
            int next = at >= 0 ? at + 1 : -at - 1;
            return new Failure(next < times.length ? round + times[next] : round + period + times[0], true);
        }
    }
}
