package dev.cairn.checkpoint;

import java.time.Instant;

/// The two clocks: wall time for people, a steady one for measuring. Nothing is ever ordered by wall time.
public interface Timekeeper {
    /// Wall time.
    Instant now();

    /// Nanoseconds that only ever grow, from an arbitrary origin.
    long nanos();

    /// The clocks of this machine.
    static Timekeeper system() {
        return new Timekeeper() {
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
