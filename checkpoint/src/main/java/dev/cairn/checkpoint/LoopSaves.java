package dev.cairn.checkpoint;

import dev.cairn.checkpoint.capture.Capture.Timing;
import dev.cairn.checkpoint.capture.PendingCapture;
import dev.cairn.checkpoint.encode.StateEncoder.Precision;
import dev.cairn.store.Attributes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// The saves of a training loop: decides after each step whether to save it, and starts saves. For the training
/// thread.
final class LoopSaves {
    /// The prefix of the attributes that Cairn itself writes.
    private static final String OWN_ATTRIBUTES = "cairn.";

    private final RunParts run;
    private final LoopRestores restores;
    private final LoopWaits waits;
    private int skipped;

    LoopSaves(RunParts run, LoopRestores restores, LoopWaits waits) {
        this.run = run;
        this.restores = restores;
        this.waits = waits;
    }

    /// As [Checkpoints#afterStep].
    void afterStep(long step, TrainingState state) throws IOException {
        Timing when = stepEnded(step, state);
        if (isDue(step)) {
            saveDue(step, state, when);
        }
    }

    /// As [Checkpoints#afterScore].
    void afterScore(long step, TrainingState state) throws IOException {
        Timing when = stepEnded(step, state);
        if (isDue(step)) {
            saveDue(step, state, when);
        } else if (run.timing.hasTimeForOneMore() && run.best.wants(step, state.attributes())) {
            saveBest(step, state, when);
        }
    }

    /// As [Checkpoints#afterStep(long, TrainingState, boolean)].
    void afterStep(long step, TrainingState state, boolean save) throws IOException {
        Timing when = stepEnded(step, state);
        if (save) {
            saveDue(step, state, when);
        }
    }

    /// As [Checkpoints#isBestToSave].
    boolean isBestToSave(long step, TrainingState state) throws IOException {
        return run.timing.hasTimeForOneMore()
                && run.best.wants(step, state.attributes())
                && !run.best.patience(statistics()).isNegative();
    }

    private Timing stepEnded(long step, TrainingState state) throws IOException {
        run.place.check(step);
        waits.forCapture();
        run.writer.failIfOvertaken();
        run.warmUp.expect(state);
        return run.captures.nextTiming();
    }

    /// As [Checkpoints#isSaveDue].
    boolean isDue(long step) throws IOException {
        boolean busy = run.saver.isSaving(Duration.ZERO);
        boolean due = run.timing.isDue(step, busy);
        return due || (!busy && run.lineage.isInDoubt());
    }

    private void saveDue(long step, TrainingState state, Timing when) throws IOException {
        if (waits.isStillSaving(run.options.policy().patience())) {
            skipped++;
            run.events.on(new CheckpointEvent.SaveSkipped(step, run.saver.stepInFlight(), skipped));
            return;
        }
        run.saver.await();
        begin(step, state, Precision.USUAL, when, Cancellation.never());
    }

    private void saveBest(long step, TrainingState state, Timing when) throws IOException {
        Duration patience = run.best.patience(statistics());
        if (patience.isNegative() || waits.isStillSaving(patience)) {
            run.best.missed(step).ifPresent(run.events::on);
            return;
        }
        run.saver.await();
        begin(step, state, Precision.USUAL, when, Cancellation.never());
    }

    /// As [Checkpoints#saveNow(long, TrainingState)].
    SaveOutcome now(long step, TrainingState state) throws IOException {
        run.place.check(step);
        run.throttle.lift();
        try {
            run.saver.await();
            begin(step, state, Precision.EXACT, Timing.BLOCKING, Cancellation.never());
            long start = run.nanos();
            SaveOutcome outcome = run.saver.await().orElseThrow();
            waits.add(run.since(start));
            return outcome;
        } finally {
            run.throttle.restore();
        }
    }

    /// As [Checkpoints#saveNow(long, TrainingState, Cancellation)].
    SaveOutcome now(long step, TrainingState state, Cancellation cancellation) throws IOException {
        run.place.check(step);
        long start = run.nanos();
        run.throttle.lift();
        try {
            run.saver.await(cancellation, () -> run.since(start).compareTo(cancellation.timeLeft()) >= 0);
            if (run.saver.isSavedExactly(step)) {
                return new SaveOutcome.AlreadySaved(step);
            }
            if (cancellation.isCancelled()) {
                return new SaveOutcome.Aborted(step);
            }
            begin(step, state, Precision.EXACT, Timing.BLOCKING, cancellation);
            return run.saver.await(cancellation, () -> false).orElseThrow();
        } finally {
            run.throttle.restore();
            waits.add(run.since(start));
        }
    }

    /// As [Checkpoints#saveCopy] and [Checkpoints#saveCopyNow].
    SaveOutcome copy(long step, TrainingState copy, Precision precision, Duration waited) throws IOException {
        run.place.check(step);
        run.writer.failIfOvertaken();
        run.warmUp.expect(copy);
        if (precision == Precision.EXACT) {
            run.throttle.lift();
        }
        try {
            run.saver.await();
            begin(step, copy, precision, Timing.OVERLAPPED, Cancellation.never(), waited);
            waits.add(waited);
            return run.saver.await().orElseThrow();
        } finally {
            run.throttle.restore();
        }
    }

    private void begin(long step, TrainingState state, Precision precision, Timing when, Cancellation cancellation) {
        long start = run.nanos();
        PendingCapture begun = begin(step, state, precision, when, cancellation, Duration.ZERO);
        Duration waited = run.since(start);
        begun.waited(waited);
        waits.add(waited);
        if (when == Timing.BLOCKING) {
            waits.forCapture();
        }
    }

    private PendingCapture begin(
            long step,
            TrainingState state,
            Precision precision,
            Timing when,
            Cancellation cancellation,
            Duration waited) {
        run.saver.checkUsable();
        long start = run.nanos();
        List<LiveTensor> live = state.tensors();
        LiveTensor.requireUniqueNames(live);
        Attributes attributes = state.attributes()
                .without(OWN_ATTRIBUTES)
                .with(restores.attributes())
                .with(run.timing.asAttributes(precision == Precision.EXACT))
                .with(CheckpointOptions.KEEP, run.options.retention().text());
        run.place.at(step);
        run.timing.begun(start);
        PendingCapture begun = run.captures.begin(live, when);
        begun.waited(waited);
        run.saver.submit(step, attributes, begun, precision, cancellation);
        return begun;
    }

    SaveStatistics statistics() {
        return run.saver.statistics(skipped, waits.total());
    }
}
