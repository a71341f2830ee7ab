package dev.cairn.observe.events;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.observe.TrainingEvent.Ended;
import dev.cairn.observe.TrainingEvent.Outcome;
import dev.cairn.observe.TrainingEvent.Started;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.observe.recording.Sink;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName.Series;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Events of made-up trainings.
final class Samples {
    static final Instant TIME = Instant.parse("2026-11-18T10:00:00Z");

    private Samples() {}

    static TrainingEvent started(Begin begin, long step) {
        return new Started(
                TIME,
                begin,
                step,
                1000,
                0,
                "accuracy",
                Double.NaN,
                Attributes.empty().with("workload", "lenet").with("rate", 0.01).with("batch", 64L));
    }

    static TrainingEvent step(long step) {
        return new StepMade(TIME.plusSeconds(step), step, 0, 1.0 / step, 0.01, 64);
    }

    static TrainingEvent committed(long step) {
        var commit = new Commit(step, "00", step, TIME, null, "lossless", "", 0, 4000, Attributes.empty(), List.of());
        return checkpointed(new CheckpointEvent.Committed(
                Checkpoint.of(commit), Duration.ofMillis(5), Duration.ofMillis(50), WeightError.NONE));
    }

    static TrainingEvent checkpointed(CheckpointEvent event) {
        return new TrainingEvent.Checkpointed(TIME, event);
    }

    static TrainingEvent ended(long step) {
        return new Ended(TIME, step, Outcome.DONE, 0.1, "");
    }

    /// Events of a training from one step to another.
    static void record(BlobStore run, Begin begin, long from, long to) {
        try (EventLog log = log(run)) {
            log.on(started(begin, from));
            steps(log, from + 1, to);
        }
    }

    static void steps(EventLog log, long from, long to) {
        for (long step = from; step <= to; step++) {
            log.on(step(step));
        }
    }

    static EventLog log(BlobStore run) {
        return log(run, EventLog.MOST_BYTES, trouble -> {
            throw new UncheckedIOException(trouble);
        });
    }

    /// A log whose end waits until everything is written, also on a busy machine.
    static EventLog log(BlobStore run, long mostBytes, Consumer<IOException> trouble) {
        return new EventLog(
                Sink.in(run, Series.EVENTS, "w0"), "w0", Clock.system(), trouble, mostBytes, Duration.ofMinutes(5));
    }

    static List<RecordedEvent> current(BlobStore run) throws IOException {
        var events = new ArrayList<RecordedEvent>();
        new RunEvents(run).current(events::add);
        return events;
    }

    /// The steps that are not superseded, in order.
    static List<Long> currentSteps(BlobStore run) throws IOException {
        return current(run).stream()
                .filter(event -> event.kind().equals("step"))
                .map(event -> event.step().orElseThrow())
                .toList();
    }
}
