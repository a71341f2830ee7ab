package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Learner;
import dev.cairn.engine.Model;
import dev.cairn.engine.Score;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.torch.TorchEngine;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.Digits;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.Scaling;
import java.io.IOException;
import java.util.Optional;

/// The loop: restore, then step, score, save, until the wanted step or a notice. A clean end always saves.
///
/// A notice is looked for after every step and every batch that is scored. The save that follows it is given up where
/// the notices say so.
public final class Trainer {
    /// The data set is one and the same, as a downloaded one would be; a run's seed decides the order it is seen in.
    private static final long DATA_SEED = 1;

    private static final int SCORED_AT_ONCE = 500;

    private final TrainingSettings settings;
    private final TrainingObserver observer;
    private final Notices notices;

    /// A trainer for these settings.
    ///
    public Trainer(TrainingSettings settings, TrainingObserver observer, Notices notices) {
        this.settings = settings;
        this.observer = observer;
        this.notices = notices;
    }

    /// Where a training begins.
    public sealed interface Start {
        /// At the run's newest good checkpoint, or at step 0 where it has none yet.
        record Resume(Matching matching) implements Start {}

        /// At step 0, whatever the run has.
        record Fresh() implements Start {}

        /// At a checkpoint of another run; this one has none yet.
        record Fork(ForkPoint point, Matching matching) implements Start {}
    }

    /// Trains in this run.
    public TrainingResult train(Checkpoints checkpoints, Start start) throws IOException {
        ImageSet digits = Digits.generate(DATA_SEED);
        try (Learner learner = TorchEngine.learner(
                        new Model.Lenet5(), settings.optimizer(), settings.seed(), settings.threads());
                var trainBatches = new BatchLoader(digits.train(), Scaling.DIGITS, settings.batch());
                var testBatches = new BatchLoader(digits.test(), Scaling.DIGITS, SCORED_AT_ONCE)) {
            try {
                return train(checkpoints, start, new Parts(digits, learner, trainBatches, testBatches));
            } finally {
                checkpoints.beforeUpdate(); // A capture must not outlive the memory that it reads.
            }
        }
    }

    /// What the loop works with.
    private record Parts(ImageSet digits, Learner learner, BatchLoader trainBatches, BatchLoader testBatches) {}

    private TrainingResult train(Checkpoints checkpoints, Start start, Parts parts) throws IOException {
        ImageSet digits = parts.digits();
        Learner learner = parts.learner();
        BatchLoader testBatches = parts.testBatches();
        var run = new TrainingRun(settings, learner);
        Optional<Checkpoint> from = switch (start) {
            case Start.Resume(Matching matching) -> checkpoints.restoreLatest(run, matching);
            case Start.Fresh _ -> Optional.empty();
            case Start.Fork(ForkPoint point, Matching matching) ->
                Optional.of(checkpoints.restoreFrom(point, run, matching));
        };
        if (run.step() < settings.steps()) {
            checkpoints.checkRoom(run);
        }
        if (start instanceof Start.Fresh && checkpoints.count() > 0) {
            // Last of all: where anything above refuses, the run is as it was.
            checkpoints.startFresh();
        }
        if (start instanceof Start.Fork) {
            // From here on the fork stands alone, whatever becomes of the other run or of this process.
            checkpoints.saveNow(run.step(), run);
        }
        var order = new DataOrder(settings.seed(), digits.train().count());
        observer.started(run.step(), settings.steps(), checkpoints.count());
        // Of the state as it is now, where it was scored.
        Optional<Score> scored =
                run.isScoreDue() ? score(learner, testBatches, digits.test().count()) : Optional.empty();
        scored.ifPresent(run::scored);
        while (run.step() < settings.steps() && !notices.isGiven()) {
            Cursor cursor = run.cursor();
            Batch batch =
                    parts.trainBatches().load(order.sizeAt(cursor, settings.batch()), i -> order.exampleAt(cursor, i));
            float loss = learner.step(batch, run.step() + 1 - run.optimizerBegan(), checkpoints::beforeUpdate);
            run.stepMade(loss, order.after(cursor, settings.batch()));
            scored =
                    run.isScoreDue() ? score(learner, testBatches, digits.test().count()) : Optional.empty();
            scored.ifPresent(run::scored);
            if (!notices.isGiven()) { // else the exact save comes now
                checkpoints.afterStep(run.step(), run);
            }
            observer.stepMade(run.step(), loss, run.lastAccuracy());
        }
        boolean untrained = run.step() == 0 && notices.isGiven();
        boolean saved = untrained || checkpoints.saveNow(run.step(), run, notices);
        Optional<Score> score = scored.isPresent()
                ? scored
                : score(learner, testBatches, digits.test().count());
        boolean finished = run.step() >= settings.steps() && score.isPresent();
        return result(run, score, from, notices.isGiven() && !finished, saved);
    }

    /// The score of the test split, or nothing where a notice came before it was known.
    private Optional<Score> score(Learner learner, BatchLoader batches, int count) {
        Score score = Score.NONE;
        for (int first = 0; first < count; first += SCORED_AT_ONCE) {
            if (notices.isGiven()) {
                return Optional.empty();
            }
            int start = first;
            score = score.plus(learner.evaluate(batches.load(Math.min(SCORED_AT_ONCE, count - first), i -> start + i)));
        }
        return Optional.of(score);
    }

    private TrainingResult result(
            TrainingRun run, Optional<Score> score, Optional<Checkpoint> from, boolean stopped, boolean saved) {
        double accuracy = score.map(Score::accuracy).orElse(run.lastAccuracy());
        boolean lastIsBest = score.isPresent() && !(accuracy <= run.bestAccuracy());
        return new TrainingResult(
                run.step(),
                run.cursor().epoch(),
                run.lastLoss(),
                accuracy,
                score.map(Score::loss).orElse(Double.NaN),
                lastIsBest ? accuracy : run.bestAccuracy(),
                lastIsBest ? run.step() : run.bestStep(),
                from.map(Checkpoint::step).orElse(null),
                saved || !notices.isCancelled() ? WeightsDigest.sha256(run.tensors()) : null,
                stopped,
                saved);
    }
}
