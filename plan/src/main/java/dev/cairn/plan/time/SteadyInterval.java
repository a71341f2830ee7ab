package dev.cairn.plan.time;

/// The best amount of work between two saves of a run whose end is far away. [Optimum] approaches it for a long job.
/// It has a closed form except for one number. Restart and detection times do not matter: each failure costs them once.
public final class SteadyInterval {
    private static final int MOST_ROUNDS = 100;
    private static final double PRECISION = 1e-9;

    private SteadyInterval() {}

    /// Returns the seconds of work between two saves.
    ///
    /// @param overhead the time that a save takes from the run
    /// @param latency the time from the start of a save until it can be restored
    /// @param mean the mean time between failures
    public static double of(double overhead, double latency, double mean) {
        if (!(overhead >= 0) || !(latency >= overhead) || !(mean > 0)) {
            throw new IllegalArgumentException(
                    "impossible costs: overhead=%s latency=%s mean=%s".formatted(overhead, latency, mean));
        }
        // The time that a second of work takes, (1 − e^(−(τ+C)/M)) e^((τ+L)/M) / τ, is minimal where
        // e^(−(τ+C)/M) = 1 − τ/M. With x = τ/M this is the root of e^(−x−c) = 1 − x, for any latency.
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
