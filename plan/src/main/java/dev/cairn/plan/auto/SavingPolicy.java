package dev.cairn.plan.auto;

/// Decides when a run saves. Trainings and simulations use the same policies.
public interface SavingPolicy {
    /// Seconds from the start of one save to the start of the next; infinite if the run never saves.
    double interval();

    /// Notes that the run worked for this long since the last call.
    default void worked(double seconds) {}

    /// Notes that a save has finished.
    ///
    /// @param waited seconds that it took from the run
    /// @param latency seconds from its start until it could be restored
    default void saved(double waited, double latency) {}

    /// Returns the policy of the next attempt after a failure. It knows only what storage remembers.
    ///
    /// @param remembered seconds at work up to the last save that survived; the time after it is unknown
    default SavingPolicy afterFailure(double remembered) {
        return this;
    }

    /// A policy whose interval never changes.
    record Fixed(double interval) implements SavingPolicy {
        public Fixed {
            if (!(interval > 0)) {
                throw new IllegalArgumentException("the interval must be positive: interval=" + interval);
            }
        }
    }
}
