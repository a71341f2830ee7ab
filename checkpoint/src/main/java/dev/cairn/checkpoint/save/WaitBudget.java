package dev.cairn.checkpoint.save;

import java.time.Duration;

/// What a training may spend on waiting for the save before when the next is due: in any stretch of time at
/// most [#MOST] and [#SHARE] of the stretch. Where saves take longer than the steps between them, it is soon
/// spent, and saves are skipped from then on: a training must not come down to the speed of its disk.
public final class WaitBudget {
    /// At hand from the beginning, and what is saved up at most.
    static final Duration MOST = Duration.ofSeconds(2);

    /// Of the time that passes.
    static final double SHARE = 0.05;

    private long earnedUntil;
    private long leftNanos = MOST.toNanos();

    public WaitBudget(long nowNanos) {
        this.earnedUntil = nowNanos;
    }

    /// The patience, or what is left for it.
    public Duration least(Duration patience, long nowNanos) {
        long earned = (long) (SHARE * (nowNanos - earnedUntil));
        earnedUntil = nowNanos;
        leftNanos = Math.min(MOST.toNanos(), leftNanos + earned);
        return patience.toNanos() <= leftNanos ? patience : Duration.ofNanos(Math.max(0, leftNanos));
    }

    public void spend(Duration waited) {
        leftNanos -= waited.toNanos();
    }
}
