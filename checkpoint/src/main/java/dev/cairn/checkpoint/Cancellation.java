package dev.cairn.checkpoint;

import java.time.Duration;

/// Says when a save is to be given up. Asked before every block, by several threads: it must be quick.
public interface Cancellation {
    /// True from some moment on, and then for ever.
    boolean isCancelled();

    /// How long a save may still take; zero or less where it is cancelled.
    Duration timeLeft();

    /// For a save that may take as long as it takes.
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
