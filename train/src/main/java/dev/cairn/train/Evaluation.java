package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.engine.Engine;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.Score;
import dev.cairn.observe.Observers;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import dev.cairn.train.batch.Examples;
import dev.cairn.train.data.Dataset;
import java.io.IOException;
import java.util.Optional;

/// Scores a stored checkpoint on the whole test split. The run is only read, and nothing is trained.
public final class Evaluation {
    private final TrainingSettings settings;
    private final Examples examples;
    private final Model model;
    private final Engine engine;
    private final TrainingObserver observer;

    /// Evaluates checkpoints of a run with these settings.
    ///
    /// @param data the data set with the name in the settings
    /// @param observer receives warnings
    /// @throws IllegalArgumentException if the data does not fit the workload, or the engine is unknown
    public Evaluation(TrainingSettings settings, Dataset data, TrainingObserver observer) {
        this.settings = settings;
        this.examples = new Examples(data);
        this.model = settings.workload().model(settings.model(), data);
        this.engine = Engine.named(settings.engine());
        this.observer = Observers.of(observer);
    }

    /// The score of a checkpoint.
    ///
    /// @param score the score on the test split, by the workload's measure
    /// @param loss the loss on the test split
    /// @param examples the number of examples in the test split
    /// @param trained the score of the same step, measured before it was stored; empty if the training did not
    ///     measure it
    public record Result(
            Checkpoint checkpoint,
            Measure measure,
            double score,
            double loss,
            long examples,
            Optional<Double> trained) {}

    /// Scores the first selected checkpoint that verifies.
    ///
    /// @param listener receives the checkpoints that are skipped
    public Result of(ForkPoint point, CheckpointEvent.Listener listener) throws IOException {
        try (LocalLearner learner = engine.learner(model, settings.optimizer(), settings.seed(), settings.threads());
                var scoring = new Scoring(learner, examples, Notices.none(), observer, Clock.system())) {
            Checkpoint checkpoint = point.restore(new TrainingRun(settings, learner), Matching.WHOLE, listener);
            Score score = scoring.score(checkpoint.step()).orElseThrow();
            Measure measure = settings.workload().measure();
            return new Result(
                    checkpoint,
                    measure,
                    measure.of(score),
                    score.loss(),
                    examples.testCount(),
                    ScoredStep.score(checkpoint, measure.label()));
        }
    }
}
