package dev.cairn.train;

import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.engine.Learner;
import dev.cairn.engine.Score;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import java.util.Optional;
import java.util.OptionalDouble;

/// Scores the test split, and detects units that are never active.
public final class Scoring implements AutoCloseable {
    /// The fraction of dead units from which a network has lost much of its capacity.
    private static final double MANY_DEAD = 0.4;

    /// The subject of a warning about such units.
    public static final String DEAD_UNITS = "deadUnits";

    private final Learner learner;
    private final Examples examples;
    private final Notices notices;
    private final TrainingObserver observer;
    private final Clock clock;
    private final Batches batches;
    private boolean warned;

    Scoring(Learner learner, Examples examples, Notices notices, TrainingObserver observer, Clock clock) {
        this.learner = learner;
        this.examples = examples;
        this.notices = notices;
        this.observer = observer;
        this.clock = clock;
        this.batches = examples.test(examples.scoredAtOnce());
    }

    /// The score of the whole split; empty if a notice arrived before it was complete.
    ///
    /// @param step the step whose state is scored
    Optional<Score> score(long step) {
        int count = examples.testCount();
        int atOnce = examples.scoredAtOnce();
        Score score = Score.NONE;
        for (int first = 0; first < count; first += atOnce) {
            if (notices.isGiven()) {
                return Optional.empty();
            }
            int start = first;
            score = score.plus(learner.evaluate(batches.load(Math.min(atOnce, count - first), i -> start + i)));
        }
        warnOfDeadUnits(step, Math.ceilDiv(count, atOnce));
        return Optional.of(score);
    }

    private void warnOfDeadUnits(long step, int scored) {
        OptionalDouble dead = learner.deadUnits();
        if (dead.isPresent() && dead.getAsDouble() >= MANY_DEAD && !warned) {
            warned = true;
            String message =
                    "%.0f %% of the ReLU units were never active over the last %d batches scored; they no longer learn"
                            .formatted(100 * dead.getAsDouble(), scored);
            observer.on(new TrainingEvent.Warned(clock.now(), step, DEAD_UNITS, message));
        }
    }

    @Override
    public void close() {
        batches.close();
    }
}
