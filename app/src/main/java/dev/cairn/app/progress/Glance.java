package dev.cairn.app.progress;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.save.SaveHistory;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What the progress line of a training shows besides its progress: its speed, the course of its loss, its last
/// checkpoint and when the next one is due. Thread-safe.
public final class Glance implements TrainingObserver {
    /// The speed is that of the last seconds, so many.
    private static final int MOST_MARKS = 10;

    private static final long MARK_NANOS = 1_000_000_000L;

    private final SavePolicy policy;
    private final Clock clock;
    private final Trail losses = new Trail();
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();
    private long step;
    private long savedStep = -1;
    private long savedNanos;
    private double intervalSeconds = Double.NaN;

    /// Knows nothing yet.
    ///
    /// @param policy when the training saves
    public Glance(SavePolicy policy, Clock clock) {
        this.policy = policy;
        this.clock = clock;
    }

    /// A step and when it was made.
    private record Mark(long step, long nanos) {}

    /// What is shown.
    ///
    /// @param stepsPerSecond NaN while it is not known
    /// @param savedStep the step of the last checkpoint of this process; −1 if there is none yet
    /// @param savedAgo the time since then
    /// @param next when the next save is due; empty while that is not known
    public record View(
            List<Double> losses, double stepsPerSecond, long savedStep, Duration savedAgo, Optional<Next> next) {
        public View {
            losses = List.copyOf(losses);
        }
    }

    /// When the next save is due.
    public sealed interface Next {
        /// After this step.
        record AtStep(long step) implements Next {}

        /// In this time; zero if it is due now.
        record In(Duration time) implements Next {}
    }

    @Override
    public synchronized void on(TrainingEvent event) {
        switch (event) {
            case TrainingEvent.StepMade made -> {
                step = made.step();
                losses.add(made.loss());
                mark(clock.nanos());
            }
            case TrainingEvent.Started started -> {
                step = started.step();
                savedNanos = clock.nanos();
            }
            case TrainingEvent.WentBack back -> {
                step = back.step();
                marks.clear();
            }
            case TrainingEvent.Checkpointed(var _, CheckpointEvent.Committed committed) -> {
                savedStep = committed.checkpoint().step();
                savedNanos = clock.nanos();
                intervalSeconds = SaveHistory.read(committed.checkpoint().attributes())
                        .map(history -> history.decision().interval())
                        .orElse(Double.NaN);
            }
            case TrainingEvent.Checkpointed _,
                    TrainingEvent.Scored _,
                    TrainingEvent.Warned _,
                    TrainingEvent.Recovered _,
                    TrainingEvent.Worked _,
                    TrainingEvent.Ended _ -> {
                // The line does not show these.
            }
        }
    }

    private void mark(long now) {
        if (marks.isEmpty() || now - marks.getLast().nanos() >= MARK_NANOS) {
            marks.addLast(new Mark(step, now));
            if (marks.size() > MOST_MARKS) {
                marks.removeFirst();
            }
        }
    }

    /// What is shown now.
    public synchronized View view() {
        long now = clock.nanos();
        return new View(
                Arrays.stream(losses.values()).boxed().toList(),
                speed(now),
                savedStep,
                Duration.ofNanos(now - savedNanos),
                next(now));
    }

    private double speed(long now) {
        Mark first = marks.peekFirst();
        return first == null || step <= first.step() || now - first.nanos() < MARK_NANOS / 2
                ? Double.NaN
                : (step - first.step()) * 1e9 / (now - first.nanos());
    }

    private Optional<Next> next(long now) {
        return switch (policy) {
            case SavePolicy.EverySteps(long steps) -> Optional.of(new Next.AtStep((step / steps + 1) * steps));
            case SavePolicy.EveryDuration(Duration interval) -> Optional.of(in(interval.toNanos(), now));
            case SavePolicy.EveryEpoch _ -> Optional.empty();
            case SavePolicy.Automatic _ ->
                Double.isFinite(intervalSeconds)
                        ? Optional.of(in((long) (intervalSeconds * 1e9), now))
                        : Optional.empty();
        };
    }

    private Next in(long intervalNanos, long now) {
        return new Next.In(Duration.ofNanos(Math.max(0, intervalNanos - (now - savedNanos))));
    }
}
