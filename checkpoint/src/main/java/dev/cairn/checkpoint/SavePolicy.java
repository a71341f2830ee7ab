package dev.cairn.checkpoint;

import dev.cairn.plan.auto.AutomaticInterval;
import java.time.Duration;

/// Decides when to save. A policy is pure: the answer depends only on the arguments.
public sealed interface SavePolicy {
    /// Whether a save is due at this moment.
    boolean isDue(Moment moment);

    /// The maximum time that the training waits for the previous save when a save is due. After that the save is
    /// skipped. A policy that counts steps needs each of its saves; a policy that counts time gets the next one
    /// soon enough. [Checkpoints] limits all these waits together to a share of the training's time.
    default Duration patience() {
        return switch (this) {
            case EverySteps _, EveryEpoch _ -> Duration.ofMillis(500);
            case EveryDuration _, Automatic _ -> Duration.ZERO;
        };
    }

    /// The end of a step, when a save may start.
    ///
    /// @param step the step that has just ended, counted from 1
    /// @param sinceLastSave the time since the last save started, or since the run was opened
    /// @param best the interval that wastes the least time, by the measurements of the run
    record Moment(long step, Duration sinceLastSave, Duration best) {}

    /// Chooses the save interval that wastes the least time. See [Automatic].
    static SavePolicy automatic() {
        return new Automatic(AutomaticInterval.Settings.USUAL);
    }

    /// Reads `auto`, `epoch`, a number of steps such as `100`, or a time such as `500ms`, `30s`, `5m` or `1h`.
    ///
    /// @throws IllegalArgumentException if the text is not valid; the message says what is valid
    static SavePolicy parse(String text) {
        return SavePolicyText.parse(text);
    }

    /// Saves after the first step that ends when the best interval has passed since the last save started. The
    /// best interval wastes the least time, given the cost of this run's saves and the frequency of its failures.
    /// See [AutomaticInterval].
    record Automatic(AutomaticInterval.Settings settings) implements SavePolicy {
        @Override
        public boolean isDue(Moment moment) {
            return moment.sinceLastSave().compareTo(moment.best()) >= 0;
        }
    }

    /// Saves after every n-th step, except for saves that are skipped because saves take longer than the steps
    /// between them.
    record EverySteps(long steps) implements SavePolicy {
        public EverySteps {
            if (steps < 1) {
                throw new IllegalArgumentException(
                        "the number of steps between saves must be at least 1: steps=" + steps);
            }
        }

        @Override
        public boolean isDue(Moment moment) {
            return moment.step() % steps == 0;
        }
    }

    /// Saves when the loop asks for it with [Checkpoints#afterStep(long, TrainingState, boolean)], at the ends of
    /// epochs: only the loop knows them.
    record EveryEpoch() implements SavePolicy {
        @Override
        public boolean isDue(Moment moment) {
            return false;
        }
    }

    /// Saves after the first step that ends when this interval has passed since the last save started.
    record EveryDuration(Duration interval) implements SavePolicy {
        public EveryDuration {
            if (interval.isNegative() || interval.isZero()) {
                throw new IllegalArgumentException("the time between saves must be positive: interval=" + interval);
            }
        }

        @Override
        public boolean isDue(Moment moment) {
            return moment.sinceLastSave().compareTo(interval) >= 0;
        }
    }
}
