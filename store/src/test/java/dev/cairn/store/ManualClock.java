package dev.cairn.store;

import java.time.Duration;
import java.time.Instant;

/// A clock that moves only by hand and by pauses, which end at once. The test decides what happens in the meantime. The
/// time of day is moved apart and may go backwards. Any thread may read it.
public final class ManualClock implements Clock {
    private volatile long nanos;
    private volatile Instant now = Samples.TIME;
    private World world = () -> {};

    /// What happens during a pause.
    public interface World {
        void goOn() throws Exception;
    }

    public ManualClock during(World pauses) {
        world = pauses;
        return this;
    }

    /// Lets this time pass.
    public synchronized void advance(Duration duration) {
        nanos = nanos + duration.toNanos();
        now = now.plus(duration);
    }

    public synchronized void setTimeOfDay(Instant instant) {
        now = instant;
    }

    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void pause(Duration duration) {
        advance(duration);
        try {
            world.goOn();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
