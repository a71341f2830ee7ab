package dev.cairn.checkpoint;

import dev.cairn.plan.auto.AutomaticInterval;
import java.time.Duration;

/// When to save. Pure: the answer depends on the question alone.
public sealed interface SavePolicy {
    /// Whether to save at this moment.
    boolean isDue(Moment moment);

    /// How long the training may wait, when a save is due, for the one before to end; after that the save is
    /// skipped. Who counts steps wants each of these saves; who counts time gets the next one soon enough.
    /// [Checkpoints] bounds all of this waiting together by a share of the training's time.
    default Duration patience() {
        return switch (this) {
            case EverySteps _ -> Duration.ofMillis(500);
            case EveryDuration _, Automatic _ -> Duration.ZERO;
        };
    }

    /// The end of a step, where a save may begin.
    ///
    /// @param step the step that was just made, counted from 1
    /// @param sinceLastSave since the last save began, or since the run was opened
    /// @param best the interval that loses the least time, by what the run measured
    record Moment(long step, Duration sinceLastSave, Duration best) {}

    /// As often as loses the least time, see [Automatic].
    static SavePolicy automatic() {
        return new Automatic(AutomaticInterval.Settings.USUAL);
    }

    /// After the first step that ends this long after the last save began: what loses the least time, by
    /// what saves cost this run and how often it fails. See [AutomaticInterval].
    record Automatic(AutomaticInterval.Settings settings) implements SavePolicy {
        @Override
        public boolean isDue(Moment moment) {
            return moment.sinceLastSave().compareTo(moment.best()) >= 0;
        }
    }

    /// After every n-th step, but for those that fall due while saves take longer than the steps between them.
    record EverySteps(long steps) implements SavePolicy {
        public EverySteps {
            if (steps < 1) {
                throw new IllegalArgumentException("steps between saves must be at least 1: steps=" + steps);
            }
        }

        @Override
        public boolean isDue(Moment moment) {
            return moment.step() % steps == 0;
        }
    }

    /// After the first step that ends this long after the last save began.
    record EveryDuration(Duration interval) implements SavePolicy {
        public EveryDuration {
            if (interval.isNegative() || interval.isZero()) {
                throw new IllegalArgumentException("time between saves must be positive: interval=" + interval);
            }
        }

        @Override
        public boolean isDue(Moment moment) {
            return moment.sinceLastSave().compareTo(interval) >= 0;
        }
    }
}
