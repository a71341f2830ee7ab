package dev.cairn.checkpoint.save;

import dev.cairn.store.Clock;
import java.util.concurrent.atomic.LongAdder;

/// The time that several threads together spend with one kind of work.
record BusyTime(Clock clock, LongAdder sum) {
    BusyTime(Clock clock) {
        this(clock, new LongAdder());
    }

    long start() {
        return clock.nanos();
    }

    void end(long startNanos) {
        sum.add(clock.nanos() - startNanos);
    }

    long nanos() {
        return sum.sum();
    }
}
