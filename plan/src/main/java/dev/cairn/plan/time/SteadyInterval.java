package dev.cairn.plan.time;

/// The best work between two saves of a run whose end is far: what [Optimum] comes near for a long job, in closed
/// form but for one number. How long restarts and detection take does not matter: each failure costs them once.
public final class SteadyInterval {
    private static final int MOST_ROUNDS = 100;
    private static final double PRECISION = 1e-9;

    private SteadyInterval() {}

    /// Seconds of work between two saves.
    ///
    /// @param overhead what a save takes from the run
    /// @param latency from the start of a save until it can be restored from
    /// @param mean time between failures
    public static double of(double overhead, double latency, double mean) {
        if (!(overhead >= 0) || !(latency >= overhead) || !(mean > 0)) {
            throw new IllegalArgumentException(
                    "impossible costs: overhead=%s latency=%s mean=%s".formatted(overhead, latency, mean));
        }
        // The time that a second of work takes, (1 − e^(−(τ+C)/M)) e^((τ+L)/M) / τ, is least where
        // e^(−(τ+C)/M) = 1 − τ/M: with x = τ/M the root of e^(−x−c) = 1 − x, whatever the latency.
        double cost = overhead / mean;
        double x = Math.min(Math.sqrt(2 * cost), 1 - Math.exp(-1 - cost));
        for (int round = 0; round < MOST_ROUNDS; round++) {
            double value = Math.exp(-x - cost) - 1 + x;
            double slope = 1 - Math.exp(-x - cost);
            if (slope == 0) {
                break;
            }
            double next = x - value / slope;
            if (Math.abs(next - x) <= PRECISION * x) {
                x = next;
                break;
            }
            x = next;
        }
        return Math.max(x * mean, latency - overhead);
    }
}
