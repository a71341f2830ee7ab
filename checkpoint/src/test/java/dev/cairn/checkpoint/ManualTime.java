package dev.cairn.checkpoint;

import dev.cairn.store.Clock;
import java.time.Duration;
import java.time.Instant;

/// A clock that one thread of a test moves by hand; wall time may even go backwards.
public final class ManualTime implements Clock {
    private volatile Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private volatile long nanos;

    public synchronized void advance(Duration duration) {
        nanos = nanos + duration.toNanos();
        now = now.plus(duration);
    }

    public void setWallTime(Instant instant) {
        now = instant;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public long nanos() {
        return nanos;
    }
}
