package dev.cairn.train;

import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.engine.Score;
import dev.cairn.engine.Scorer;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import dev.cairn.train.batch.Batches;
import dev.cairn.train.batch.Examples;
import dev.cairn.train.batch.Share;
import java.util.Optional;
import java.util.OptionalDouble;

/// Scores the test split, and detects units that are never active.
public final class Scoring implements AutoCloseable {
    /// The fraction of dead units from which a network has lost much of its capacity.
    private static final double MANY_DEAD = 0.4;

    /// The subject of a warning about such units.
    public static final String DEAD_UNITS = "deadUnits";

    private final Scorer scorer;
    private final Examples examples;
    private final Notices notices;
    private final TrainingObserver observer;
    private final Clock clock;
    private final Batches batches;
    private boolean warned;

    Scoring(Scorer scorer, Examples examples, Notices notices, TrainingObserver observer, Clock clock) {
        this.scorer = scorer;
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
            score = score.plus(scoreOf(first));
        }
        warnOfDeadUnits(step, Math.ceilDiv(count, atOnce));
        return Optional.of(score);
    }

    /// Scores a share of the split, for a team that then adds up the parts of all.
    Parts parts(long step, Share share) {
        int batchCount = Math.ceilDiv(examples.testCount(), examples.scoredAtOnce());
        var parts = new Parts(new double[1 + Parts.EACH * batchCount]);
        int scored = 0;
        for (int batch = 0; batch < batchCount; batch++) {
            if (notices.isGiven()) {
                parts.interrupt();
                return parts;
            }
            if (share.has(batch)) {
                parts.put(batch, scoreOf(batch * examples.scoredAtOnce()));
                scored++;
            }
        }
        if (scored > 0) {
            warnOfDeadUnits(step, scored);
        }
        return parts;
    }

    private Score scoreOf(int first) {
        int size = Math.min(examples.scoredAtOnce(), examples.testCount() - first);
        return scorer.evaluate(batches.load(size, i -> first + i));
    }

    /// The scores of batches as numbers that can be added up: those of other processes' batches are zeros. The sum in
    /// order of the batches then is the same for any number of processes.
    static final class Parts {
        private static final int EACH = 3;

        private final double[] numbers;

        private Parts(double[] numbers) {
            this.numbers = numbers;
        }

        /// How many processes were interrupted; then the score of each batch.
        double[] numbers() {
            return numbers;
        }

        private void put(int batch, Score score) {
            int at = 1 + EACH * batch;
            numbers[at] = score.lossSum();
            numbers[at + 1] = score.correct();
            numbers[at + 2] = score.count();
        }

        private void interrupt() {
            numbers[0] = 1;
        }

        boolean wereInterrupted() {
            return numbers[0] > 0;
        }

        Score whole() {
            Score whole = Score.NONE;
            for (int at = 1; at < numbers.length; at += EACH) {
                whole = whole.plus(new Score(numbers[at], (long) numbers[at + 1], (long) numbers[at + 2]));
            }
            return whole;
        }
    }

    private void warnOfDeadUnits(long step, int scored) {
        OptionalDouble dead = scorer.deadUnits();
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
