package dev.cairn.store;

import java.time.Duration;
import java.time.Instant;

/// A clock that moves only by pauses and by hand. The test decides what happens in the meantime.
public final class ManualClock implements Clock {
    private long nanos;
    private Instant now = Samples.TIME;
    private World world = () -> {};

    /// What happens during a pause.
    public interface World {
        void goOn() throws Exception;
    }

    public ManualClock during(World pauses) {
        world = pauses;
        return this;
    }

    public void setTimeOfDay(Instant instant) {
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
        nanos += duration.toNanos();
        try {
            world.goOn();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
