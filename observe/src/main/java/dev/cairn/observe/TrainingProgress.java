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

/// How far a training is, for whoever shows it: kept up by events, read at any time.
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

    /// Of a training that begins.
    ///
    /// @param clock by which the time that is left is estimated
    public TrainingProgress(Clock clock) {
        this.clock = clock;
    }

    /// Where a training stands.
    ///
    /// @param score of the last time that the test split was scored; NaN before the first
    /// @param remainingSeconds an estimate of the time to the last step; 0 as long as nothing is known
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

    /// From now on a snapshot tells how far the copy of the run is behind.
    public synchronized void watchCopy(Supplier<Optional<CopyLag>> lag) {
        copyLag = lag;
    }

    /// Where the training stands now; empty until this process has made two steps. The first step warms the engine
    /// up, so it says nothing about the rest.
    public Optional<Snapshot> now() {
        Supplier<Optional<CopyLag>> lag;
        synchronized (this) {
            if (!warm) {
                return Optional.empty();
            }
            lag = copyLag;
        }
        Optional<CopyLag> behind = lag.get(); // may take locks of its own
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
            case Checkpointed _, TrainingEvent.Warned _, TrainingEvent.WentBack _, TrainingEvent.Ended _ -> {
                // These change no figure.
            }
        }
    }

    private void stepMade(StepMade made) {
        step = made.step();
        loss = made.loss();
        warm = firstStep >= 0;
        if (!warm || step <= firstStep) { // it may have gone back
            firstStep = step;
            firstNanos = clock.nanos();
            return;
        }
        remainingSeconds = (clock.nanos() - firstNanos) / 1e9 / (step - firstStep) * (steps - step);
    }
}
