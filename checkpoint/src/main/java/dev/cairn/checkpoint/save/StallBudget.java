package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.plan.auto.AutomaticInterval.Settings;
import java.time.Duration;

/// The time that a training may wait for saves that no policy asks for, such as saves of its best steps, until all
/// saves have taken their share of its time. The share is the budget of the automatic policy or, if it has none, a
/// twentieth, and at least one second.
///
/// @param share the fraction of the time
/// @param least the minimum, even if the share is less
record StallBudget(double share, Duration least) {
    private static final double USUAL_SHARE = 0.05;
    private static final Duration USUAL_LEAST = Duration.ofSeconds(1);

    static StallBudget of(SavePolicy policy) {
        return policy instanceof SavePolicy.Automatic(Settings settings) && settings.budget() < 1
                ? new StallBudget(settings.budget(), Duration.ZERO)
                : new StallBudget(USUAL_SHARE, USUAL_LEAST);
    }

    /// The time left for the next save.
    ///
    /// @param running the time since the training started
    /// @param spent the time that it waited for saves
    /// @param next the expected time of the next save
    Duration left(Duration running, Duration spent, Duration next) {
        Duration allowed = Duration.ofNanos((long) (share * running.toNanos()));
        Duration most = allowed.compareTo(least) < 0 ? least : allowed;
        return most.minus(spent).minus(next);
    }
}
