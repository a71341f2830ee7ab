package dev.cairn.cluster.supervise;

import java.time.Duration;

/// How long a team waits for a missing worker before it goes on with those that are there. A team with spares waits for
/// the next one. A team without goes on at once, unless nobody is left who has the state: then there is nothing to go
/// on with, and all may come back.
final class Shortage {
    private static final long NONE = Long.MIN_VALUE;

    private final boolean hasSpares;
    private final Duration wait;
    private long sinceNanos = NONE;

    Shortage(int spares, Duration wait) {
        this.hasSpares = spares > 0;
        this.wait = wait;
    }

    /// Notes that nobody is missing.
    void end() {
        sinceNanos = NONE;
    }

    /// Whether somebody is missing, and the wait is over.
    ///
    /// @param isShort whether a worker is missing
    /// @param hasState whether any worker has the state of the training
    boolean isOver(boolean isShort, boolean hasState, long nanos) {
        if (!isShort) {
            end();
            return false;
        }
        if (sinceNanos == NONE) {
            sinceNanos = nanos;
        }
        return goesOnAtOnce(hasState) || nanos - sinceNanos >= wait.toNanos();
    }

    /// Whether the team does not wait for processes that are not ready yet.
    boolean goesOnAtOnce(boolean hasState) {
        return !hasSpares && hasState;
    }
}
