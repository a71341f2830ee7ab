package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.plan.auto.AutomaticInterval.Settings;
import java.time.Duration;

/// How long a training may wait for saves that no policy asks for, such as those of its best steps: until all
/// saves have taken their share of its time. That is the automatic policy's budget, or, where that has none, a
/// twentieth, and a second at least.
///
/// @param share of the time
/// @param least whatever the share comes to
record StallBudget(double share, Duration least) {
    private static final double USUAL_SHARE = 0.05;
    private static final Duration USUAL_LEAST = Duration.ofSeconds(1);

    static StallBudget of(SavePolicy policy) {
        return policy instanceof SavePolicy.Automatic(Settings settings) && settings.budget() < 1
                ? new StallBudget(settings.budget(), Duration.ZERO)
                : new StallBudget(USUAL_SHARE, USUAL_LEAST);
    }

    /// What is left for the next save.
    ///
    /// @param running since the training began
    /// @param spent what it waited for saves
    /// @param next what the next one takes, as far as is known
    Duration left(Duration running, Duration spent, Duration next) {
        Duration allowed = Duration.ofNanos((long) (share * running.toNanos()));
        Duration most = allowed.compareTo(least) < 0 ? least : allowed;
        return most.minus(spent).minus(next);
    }
}
