package dev.cairn.observe;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.observe.TrainingEvent.Checkpointed;
import dev.cairn.observe.TrainingEvent.Scored;
import dev.cairn.observe.TrainingEvent.Started;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.store.Clock;
import java.util.Optional;
import java.util.function.Supplier;

/// The progress of a training. Events update it, and it can be read at any time.
public final class TrainingProgress implements TrainingObserver {
    private final Clock clock;
    private Supplier<Optional<CopyLag>> copyLag = Optional::empty;
    private long step;
    private long steps;
    private double loss = Double.NaN;
    private String measure = "accuracy";
    private double score = Double.NaN;
    private int checkpoints;
    private boolean warm;
    private long firstStep = -1;
    private long firstNanos;
    private double remainingSeconds;

    /// Creates the progress of a training that has not started yet.
    ///
    /// @param clock the clock for the estimate of the remaining time
    public TrainingProgress(Clock clock) {
        this.clock = clock;
    }

    /// The progress at one time.
    ///
    /// @param score the last score on the test split; NaN before the first one
    /// @param remainingSeconds an estimate of the time to the last step; 0 while nothing is known
    /// @param copyLag how far the copy of the run is behind, if there is one
    public record Snapshot(
            long step,
            long steps,
            double loss,
            String measure,
            double score,
            int checkpoints,
            double remainingSeconds,
            Optional<CopyLag> copyLag) {}

    /// Makes snapshots report how far the copy of the run is behind.
    public synchronized void watchCopy(Supplier<Optional<CopyLag>> lag) {
        copyLag = lag;
    }

    /// Returns the current progress; empty until this process has made two steps. The first step warms up the
    /// engine, so its time says nothing about the others.
    public Optional<Snapshot> now() {
        Supplier<Optional<CopyLag>> lag;
        synchronized (this) {
            if (!warm) {
                return Optional.empty();
            }
            lag = copyLag;
        }
        Optional<CopyLag> behind = lag.get(); // may acquire locks
        synchronized (this) {
            return Optional.of(new Snapshot(step, steps, loss, measure, score, checkpoints, remainingSeconds, behind));
        }
    }

    @Override
    public synchronized void on(TrainingEvent event) {
        switch (event) {
            case Started started -> {
                steps = started.steps();
                checkpoints = started.checkpoints();
                measure = started.measure();
                score = started.score();
            }
            case StepMade made -> stepMade(made);
            case Scored scored -> score = scored.score();
            case Checkpointed(var _, CheckpointEvent.Committed _) -> checkpoints++;
            case Checkpointed(var _, CheckpointEvent.Pruned pruned) ->
                checkpoints -= pruned.checkpoints().size();
            case Checkpointed _,
                    TrainingEvent.Warned _,
                    TrainingEvent.WentBack _,
                    TrainingEvent.Recovered _,
                    TrainingEvent.Worked _,
                    TrainingEvent.Ended _ -> {
                // These events do not change the progress.
            }
        }
    }

    private void stepMade(StepMade made) {
        step = made.step();
        loss = made.loss();
        warm = firstStep >= 0;
        if (!warm || step <= firstStep) { // after a rollback, the step may be smaller
            firstStep = step;
            firstNanos = clock.nanos();
            return;
        }
        remainingSeconds = (clock.nanos() - firstNanos) / 1e9 / (step - firstStep) * (steps - step);
    }
}
