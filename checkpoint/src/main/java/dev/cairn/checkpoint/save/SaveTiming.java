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

/// Decides when a run saves. With every policy it measures the cost of saves and the time between failures, and
/// stores them in the records for later attempts. Used by the training thread and the saving thread.
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

    /// Continues with the history that a checkpoint has of earlier attempts. An attempt that did not end with a
    /// last save has failed.
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
    /// @param saving whether a save was running during the step
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

    /// Notes steps that were made elsewhere, with the mean time of each.
    ///
    /// @param beside whether a save was running beside them
    public synchronized void noteSteps(int count, Duration each, boolean beside) {
        for (int i = 0; i < count; i++) {
            interval.step(each.toNanos() / NANOS_PER_SECOND, beside);
        }
    }

    /// Whether to save after this step, which was made elsewhere.
    public synchronized boolean isTimeToSave(long step) {
        Duration since = Duration.ofNanos(options.environment().time().nanos() - lastSaveNanos);
        var moment = new SavePolicy.Moment(step, since, duration(interval.interval()));
        return options.policy().isDue(moment) && !isInTheWay();
    }

    /// Whether there is time for a save that no policy asks for, without delaying the last save before a deadline.
    public synchronized boolean hasTimeForOneMore() {
        return options.environment().timeLeft().get().compareTo(duration(interval.leadTime())) > 0;
    }

    /// Whether a save would delay the last save before a deadline. A policy that counts steps saves regardless.
    private boolean isInTheWay() {
        return !(options.policy() instanceof SavePolicy.EverySteps)
                && options.environment().timeLeft().get().compareTo(duration(interval.leadTime())) <= 0;
    }

    /// Notes the start of a save.
    public synchronized void begun(long nanos) {
        lastSaveNanos = nanos;
    }

    /// Notes that the running save is committed.
    synchronized void committed(Duration stall) {
        Decision before = interval.decision();
        interval.saved(
                stall.toNanos() / NANOS_PER_SECOND,
                (options.environment().time().nanos() - lastSaveNanos) / NANOS_PER_SECOND);
        if (!interval.decision().equals(before)) {
            LOG.log(Level.DEBUG, "interval " + interval.decision().text());
        }
    }

    /// Notes that the running save failed.
    synchronized void failed() {
        interval.saveFailed();
    }

    /// The attributes to store in a record.
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
