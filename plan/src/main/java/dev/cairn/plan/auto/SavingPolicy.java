package dev.cairn.plan.auto;

/// When a run saves: a training asks, and so does a simulation.
public interface SavingPolicy {
    /// Seconds from the start of one save to the start of the next; infinite where it never saves.
    double interval();

    /// The run was at work for so long since it was last told.
    default void worked(double seconds) {}

    /// A save is over.
    ///
    /// @param waited seconds that it took from the run
    /// @param latency seconds from its start until it could be restored from
    default void saved(double waited, double latency) {}

    /// The policy of the next attempt after a failure, with what storage tells it.
    ///
    /// @param remembered seconds at work up to the last save that is left: what came after it nobody knows
    default SavingPolicy afterFailure(double remembered) {
        return this;
    }

    /// The same interval always.
    record Fixed(double interval) implements SavingPolicy {
        public Fixed {
            if (!(interval > 0)) {
                throw new IllegalArgumentException("the interval must be positive: interval=" + interval);
            }
        }
    }
}
