package dev.cairn.store;

import java.time.Duration;
import java.time.Instant;

/// The one clock of Cairn: the time of day for people, a steady count for intervals, and a way to wait. It comes in
/// from outside, so that tests decide what time it is.
public interface Clock {
    /// The time of day, which may jump.
    Instant now();

    /// Nanoseconds that only ever grow, from an arbitrary origin.
    long nanos();

    /// Returns when this long has passed.
    default void pause(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    /// This machine's.
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
