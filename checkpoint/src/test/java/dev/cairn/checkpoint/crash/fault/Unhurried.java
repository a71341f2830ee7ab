package dev.cairn.checkpoint.crash.fault;

import dev.cairn.store.Clock;
import java.time.Duration;
import java.time.Instant;

/// This machine's clock, but pauses end at once: retries happen as usual, and tests do not wait.
public final class Unhurried implements Clock {
    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
