package dev.cairn.checkpoint.save;

import java.time.Duration;

/// The time that a training may wait for the previous save when the next one is due: in any period at most [#MOST]
/// plus [#SHARE] of the period. If saves take longer than the steps between them, the budget is soon spent, and saves
/// are skipped from then on: a training must not slow down to the speed of its disk.
public final class WaitBudget {
    /// The budget at the start, and the maximum that can accumulate.
    static final Duration MOST = Duration.ofSeconds(2);

    /// The fraction of the elapsed time that is added to the budget.
    static final double SHARE = 0.05;

    private long earnedUntil;
    private long leftNanos = MOST.toNanos();

    public WaitBudget(long nowNanos) {
        this.earnedUntil = nowNanos;
    }

    /// Returns the wanted wait, or what is left of the budget if that is less.
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
