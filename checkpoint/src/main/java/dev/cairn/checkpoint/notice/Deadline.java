package dev.cairn.checkpoint.notice;

import dev.cairn.store.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/// A time, known in advance, at which the training must have ended.
public final class Deadline {
    private final String reason;
    private final Supplier<Duration> left;
    private final Supplier<Duration> grace;

    /// @param grace how long before the deadline the training must stop, so that it has time to save
    private Deadline(String reason, Supplier<Duration> left, Supplier<Duration> grace) {
        this.reason = reason;
        this.left = left;
        this.grace = grace;
    }

    /// A deadline at this wall time.
    ///
    /// @param grace how long before the deadline the training must stop, so that it has time to save
    public static Deadline at(Instant moment, String reason, Supplier<Duration> grace, Clock time) {
        return new Deadline(reason, () -> Duration.between(time.now(), moment), grace);
    }

    /// A deadline this long from now, by the monotonic clock.
    ///
    /// @param grace how long before the deadline the training must stop, so that it has time to save
    public static Deadline in(Duration limit, String reason, Supplier<Duration> grace, Clock time) {
        long start = time.nanos();
        return new Deadline(reason, () -> limit.minusNanos(time.nanos() - start), grace);
    }

    String reason() {
        return reason;
    }

    Duration left() {
        return left.get();
    }

    /// Whether it is time to stop.
    boolean isNear() {
        return left().compareTo(grace.get()) <= 0;
    }
}
