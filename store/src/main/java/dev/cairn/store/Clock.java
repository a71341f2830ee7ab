package dev.cairn.store;

import java.time.Duration;
import java.time.Instant;

/// The only clock of Cairn: the time of day for people, a monotonic counter for intervals, and a way to wait. Callers
/// pass it in, so that tests control the time.
public interface Clock {
    /// The time of day, which may jump.
    Instant now();

    /// A counter in nanoseconds that never decreases, from an arbitrary origin.
    long nanos();

    /// Waits for this duration.
    default void pause(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    /// The clock of this machine.
    static Clock system() {
        return new Clock() {
            @Override
            public Instant now() {
                return Instant.now();
            }

            @Override
            public long nanos() {
                return System.nanoTime();
            }
        };
    }
}
