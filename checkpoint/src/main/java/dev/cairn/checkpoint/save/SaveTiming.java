package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.plan.auto.AutomaticInterval;
import dev.cairn.plan.auto.AutomaticInterval.Settings;
import dev.cairn.plan.auto.Decision;
import dev.cairn.plan.auto.FailureHistory;
import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// When a run saves: measures what saves cost and how long it lives, whatever the policy, and keeps that in its records
/// for the attempts after this one. Told by the training's thread and by the saving one.
public final class SaveTiming {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");
    private static final double NANOS_PER_SECOND = 1e9;

    private final CheckpointOptions options;
    private final Settings settings;
    private AutomaticInterval interval;
    private long lastSaveNanos;
    private long lastStepNanos;
    private boolean stepSeen;

    public SaveTiming(CheckpointOptions options) {
        this.options = options;
        this.settings = options.policy() instanceof SavePolicy.Automatic(Settings chosen) ? chosen : Settings.USUAL;
        this.interval = new AutomaticInterval(settings, FailureHistory.NONE);
        this.lastSaveNanos = options.environment().time().nanos();
        this.lastStepNanos = lastSaveNanos;
    }

    /// Goes on with what a checkpoint tells of the attempts before. One that did not end with a last save has failed.
    public synchronized void restored(Commit checkpoint) {
        interval = SaveHistory.read(checkpoint.attributes())
                .map(history -> history.resume(settings))
                .orElse(new AutomaticInterval(settings, FailureHistory.NONE));
        lastSaveNanos = options.environment().time().nanos();
        lastStepNanos = lastSaveNanos;
        stepSeen = false;
        LOG.log(Level.DEBUG, "interval " + interval.decision().text());
    }

    /// Whether to save after the step that has just ended.
    ///
    /// @param saving whether a save went on beside it
    public synchronized boolean isDue(long step, boolean saving) {
        long now = options.environment().time().nanos();
        if (stepSeen) {
            interval.step((now - lastStepNanos) / NANOS_PER_SECOND, saving);
        }
        stepSeen = true;
        lastStepNanos = now;
        var moment = new SavePolicy.Moment(step, Duration.ofNanos(now - lastSaveNanos), duration(interval.interval()));
        return options.policy().isDue(moment) && !isInTheWay();
    }

    /// Whether a save that no policy asks for would be in the way of the last one before a deadline.
    public synchronized boolean hasTimeForOneMore() {
        return options.environment().timeLeft().get().compareTo(duration(interval.leadTime())) > 0;
    }

    /// Of the last save before a deadline; who counts steps gets them all the same.
    private boolean isInTheWay() {
        return !(options.policy() instanceof SavePolicy.EverySteps)
                && options.environment().timeLeft().get().compareTo(duration(interval.leadTime())) <= 0;
    }

    /// A save begins.
    public synchronized void begun(long nanos) {
        lastSaveNanos = nanos;
    }

    /// The save under way is committed.
    synchronized void committed(Duration stall) {
        Decision before = interval.decision();
        interval.saved(
                stall.toNanos() / NANOS_PER_SECOND,
                (options.environment().time().nanos() - lastSaveNanos) / NANOS_PER_SECOND);
        if (!interval.decision().equals(before)) {
            LOG.log(Level.DEBUG, "interval " + interval.decision().text());
        }
    }

    /// The save under way came to nothing.
    synchronized void failed() {
        interval.saveFailed();
    }

    /// What a record keeps of it.
    ///
    /// @param last whether the attempt may end with this save
    public synchronized Attributes asAttributes(boolean last) {
        boolean followed = options.policy() instanceof SavePolicy.Automatic;
        return new SaveHistory(interval.history(), interval.decision(), followed, last).asAttributes();
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos((long) Math.min(seconds * NANOS_PER_SECOND, Long.MAX_VALUE / 2.0));
    }
}
