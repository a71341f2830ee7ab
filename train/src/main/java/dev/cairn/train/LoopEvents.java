package dev.cairn.train;

import dev.cairn.engine.Score;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.observe.TrainingEvent.Outcome;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingResult.End;
import java.time.Duration;

/// Sends an event to the observer after each thing that happens in the training loop.
record LoopEvents(TrainingSettings settings, TrainingRun run, TrainingObserver observer, Clock clock) {
    /// @param restored whether a checkpoint was restored
    /// @param checkpoints the number of checkpoints in the run
    void started(Start start, boolean restored, int checkpoints) {
        Begin begin = switch (start) {
            // A process that leads from now on may have a state, although the run has no checkpoint yet.
            case Start.Resume _ -> restored || run.step() > 0 ? Begin.RESUMED : Begin.NEW;
            case Start.Fresh _ -> Begin.FRESH;
            case Start.Fork _ -> Begin.FORKED;
        };
        observer.on(new TrainingEvent.Started(
                clock.now(),
                begin,
                run.step(),
                settings.steps(),
                checkpoints,
                measure().label(),
                run.lastScore(),
                settings.addTo(Attributes.empty())));
    }

    void stepMade(long epoch, double rate, int examples) {
        observer.on(new TrainingEvent.StepMade(clock.now(), run.step(), epoch, run.lastLoss(), rate, examples));
    }

    /// @param beganNanos the time at which scoring started
    void scored(Score score, long beganNanos) {
        double value = measure().of(score);
        boolean isBest = measure().isBetter(value, run.bestScore());
        observer.on(new TrainingEvent.Scored(
                clock.now(),
                run.step(),
                measure().label(),
                value,
                score.loss(),
                isBest ? value : run.bestScore(),
                isBest ? run.step() : run.bestStep(),
                score.count(),
                Duration.ofNanos(clock.nanos() - beganNanos)));
    }

    void wentBack(long fromStep, String reason) {
        observer.on(new TrainingEvent.WentBack(
                clock.now(), run.step(), fromStep, reason, run.nextUpdate().rate()));
    }

    void ended(End end) {
        switch (end) {
            case End.Done _ -> ended(Outcome.DONE, "");
            case End.Reached _ -> ended(Outcome.GOAL, "");
            case End.Stopped _ -> ended(Outcome.NOTICE, "");
            case End.Diverged diverged -> ended(Outcome.DIVERGED, diverged.reason());
        }
    }

    void failed(Throwable cause) {
        ended(Outcome.FAILED, cause.toString());
    }

    private void ended(Outcome outcome, String reason) {
        observer.on(new TrainingEvent.Ended(clock.now(), run.step(), outcome, run.lastLoss(), reason));
    }

    private Measure measure() {
        return settings.workload().measure();
    }
}
