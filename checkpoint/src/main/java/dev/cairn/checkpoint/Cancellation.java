package dev.cairn.checkpoint;

import java.time.Duration;

/// Tells a save when to stop. It is asked before every block, by several threads, so it must return quickly.
public interface Cancellation {
    /// Whether the save is cancelled. Once true, it stays true.
    boolean isCancelled();

    /// The time that a save may still take; zero or less if it is cancelled.
    Duration timeLeft();

    /// Returns a cancellation that never happens.
    static Cancellation never() {
        return new Cancellation() {
            @Override
            public boolean isCancelled() {
                return false;
            }

            @Override
            public Duration timeLeft() {
                return Duration.ofDays(365);
            }
        };
    }
}
