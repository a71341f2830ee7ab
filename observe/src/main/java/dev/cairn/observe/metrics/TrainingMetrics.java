package dev.cairn.observe.metrics;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Checkpointed;
import dev.cairn.observe.TrainingEvent.Ended;
import dev.cairn.observe.TrainingEvent.Scored;
import dev.cairn.observe.TrainingEvent.Started;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.observe.TrainingEvent.Warned;
import dev.cairn.observe.TrainingEvent.WentBack;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.observe.TrainingProgress;
import dev.cairn.observe.metrics.Meters.Level;
import dev.cairn.store.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Instant;

/// Meters of a training and its checkpoints, in the registry of the program around it.
///
/// ```java
/// var metrics = new TrainingMetrics(registry, Tags.of("run", "first"));
/// Checkpoints.open(run, CheckpointOptions.defaults().withListener(metrics.listener()));
/// ```
///
/// A loop of one's own has meters of its checkpoints that way; it may also pass its steps and scores to [#on].
/// Thread-safe.
public final class TrainingMetrics implements TrainingObserver {
    private final CheckpointMetrics checkpoints;
    private final TrainingProgress progress;

    private final Level step;
    private final Level lastStep;
    private final Level epoch;
    private final Level loss;
    private final Level rate;
    private final Level remaining;
    private final Level running;
    private final Level score;
    private final Level bestScore;
    private final Level testLoss;
    private final Counter steps;
    private final Counter examples;
    private final Counter rollbacks;
    private final Counter warnings;
    private final Timer scoring;
    private final Timer recoveries;

    /// Registers the meters.
    ///
    /// @param tags of all meters: they tell apart the runs of one program
    public TrainingMetrics(MeterRegistry registry, Tags tags) {
        this(registry, tags, Clock.system());
    }

    TrainingMetrics(MeterRegistry registry, Tags tags, Clock clock) {
        var meters = new Meters(registry, tags);
        this.progress = new TrainingProgress(clock);
        this.checkpoints = new CheckpointMetrics(meters, clock);
        this.step = meters.level("cairn.training.step", null, "The last finished step");
        this.lastStep = meters.level("cairn.training.last.step", null, "The step at which the training ends");
        this.epoch = meters.level("cairn.training.epoch", null, "The epoch of the last step, from 0");
        this.loss = meters.level("cairn.training.loss", null, "The loss of the last step's batch");
        this.rate = meters.level("cairn.training.rate", null, "The learning rate of the last step");
        this.remaining = meters.level("cairn.training.remaining", Meters.SECONDS, "Estimated time to the last step");
        this.running = meters.level("cairn.training.running", null, "1 while the training runs, 0 when it has ended");
        this.score = meters.level("cairn.test.score", null, "The last score on the test split, such as accuracy");
        this.bestScore = meters.level("cairn.test.best.score", null, "The best score of the run");
        this.testLoss = meters.level("cairn.test.loss", null, "The last loss on the test split");
        this.steps = meters.counter("cairn.training.steps", null, "Steps made by this process");
        this.examples = meters.counter("cairn.training.examples", null, "Examples learned from by this process");
        this.rollbacks =
                meters.counter("cairn.training.rollbacks", null, "Times that the training went back by itself");
        this.warnings = meters.counter("cairn.training.warnings", null, "Warnings about the training");
        this.recoveries = meters.timer("cairn.training.recovery", "How long it took to replace a worker that died");
        this.scoring = meters.timer("cairn.test", "How long the training waited for a score");
    }

    /// Meters of checkpoints alone, for the options of [dev.cairn.checkpoint.Checkpoints].
    public CheckpointEvent.Listener listener() {
        return checkpoints;
    }

    @Override
    public void on(TrainingEvent event) {
        progress.on(event);
        switch (event) {
            case Started started -> {
                running.set(1);
                step.set(started.step());
                lastStep.set(started.steps());
                score.set(started.score());
                checkpoints.began(started.checkpoints());
            }
            case StepMade made -> {
                steps.increment();
                examples.increment(made.examples());
                step.set(made.step());
                epoch.set(made.epoch());
                loss.set(made.loss());
                rate.set(made.rate());
                progress.now().ifPresent(now -> remaining.set(now.remainingSeconds()));
            }
            case Scored scored -> {
                score.set(scored.score());
                bestScore.set(scored.bestScore());
                testLoss.set(scored.loss());
                scoring.record(scored.duration());
            }
            case Warned _ -> warnings.increment();
            case WentBack back -> {
                rollbacks.increment();
                step.set(back.step());
            }
            case TrainingEvent.Recovered recovered -> recoveries.record(recovered.recovered());
            case TrainingEvent.Worked _ -> {
                // Told once, at the end.
            }
            case Ended _ -> running.set(0);
            case Checkpointed(Instant _, CheckpointEvent about) -> checkpoints.on(about);
        }
    }
}
