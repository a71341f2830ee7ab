package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.Cancellation;
import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.SaveOutcome;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.checkpoint.background.BackgroundThreads;
import dev.cairn.checkpoint.background.RightOfWay;
import dev.cairn.checkpoint.capture.Capture.Tensor;
import dev.cairn.checkpoint.capture.PendingCapture;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.encode.CoarseSaves;
import dev.cairn.checkpoint.encode.EncodingPlan;
import dev.cairn.checkpoint.encode.StateEncoder;
import dev.cairn.checkpoint.encode.StateEncoder.Effort;
import dev.cairn.checkpoint.encode.StateEncoder.Precision;
import dev.cairn.checkpoint.house.Housekeeping;
import dev.cairn.store.Attributes;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.Staged;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Encodes, writes and commits captured states on its own thread, one save at a time, and records how each ended. A
/// save that the training waits for uses another thread, with normal priority. The methods are for the training
/// thread.
public final class Saver implements AutoCloseable {
    /// The writer name of the segments of a run that one process saves.
    private static final String WRITER = "main";

    /// The interval at which a thread that waits for a save checks whether the save is cancelled.
    private static final Duration WATCH = Duration.ofMillis(50);
    /// The maximum time for a cancelled save to end: enough for a block, or for a sync of the data already written.
    private static final Duration ABORT_PATIENCE = Duration.ofSeconds(3);
    /// The base and the first delta, whose code is compiled while they run. They have normal priority: with low
    /// priority they would hardly progress while the compiler runs.
    private static final int COLD_SAVES = 2;

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final RightOfWay rightOfWay;
    private final Doubts doubts;
    private final SaveFollowers followers;
    private final Room room;
    private final StateEncoder encoder;
    private final Housekeeping housekeeping;
    private final CheckpointOptions options;
    private final CheckpointEvent.Listener listener;
    private final CoarseSaves coarseSaves;
    private final EncodingPace pace = new EncodingPace();
    private final ExecutorService background =
            Executors.newSingleThreadExecutor(BackgroundThreads.named("cairn-saver"));
    private final ExecutorService awaited = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-saver-awaited").daemon(true).factory());
    private ExecutorService busy = background;

    private @Nullable Future<SaveOutcome> inFlight;
    private volatile SaveTicket ticket = new SaveTicket(Cancellation.never());
    private boolean abandoned;
    private long stepInFlight;
    private volatile long lastSavedStep = -1;
    private volatile boolean lastSavedExactly;
    private final AtomicInteger committed = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private volatile boolean lastFailed;

    /// @param listener must not throw
    public Saver(
            CheckpointStore store,
            CheckpointWriter writer,
            RightOfWay rightOfWay,
            Doubts doubts,
            SaveFollowers followers,
            Room room,
            StateEncoder encoder,
            Housekeeping housekeeping,
            CheckpointOptions options,
            CheckpointEvent.Listener listener) {
        this.store = store;
        this.writer = writer;
        this.rightOfWay = rightOfWay;
        this.doubts = doubts;
        this.followers = followers;
        this.room = room;
        this.encoder = encoder;
        this.housekeeping = housekeeping;
        this.options = options;
        this.listener = listener;
        this.coarseSaves = new CoarseSaves(options.encoding().codec());
    }

    /// Sets the step of the present state, saved or not; -1 if there is no state.
    public void startAt(long step, boolean exactly) {
        lastSavedStep = step;
        lastSavedExactly = exactly;
    }

    public long lastSavedStep() {
        return lastSavedStep;
    }

    /// Whether this step is saved exactly. Call it after waiting for the running save.
    public boolean isSavedExactly(long step) {
        return lastSavedStep == step && lastSavedExactly;
    }

    public long stepInFlight() {
        return stepInFlight;
    }

    public SaveStatistics statistics(int skipped, Duration stall) {
        return new SaveStatistics(committed.get(), failed.get(), skipped, aborted.get(), stall, lastFailed);
    }

    /// Throws if an abandoned save hangs in the storage.
    public void checkUsable() {
        if (abandoned) {
            throw new IllegalStateException(
                    "an abandoned save hangs in the storage; close the run, then open it again");
        }
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    /// Starts to save the state that is being captured. The previous save must have finished.
    public void submit(
            long step, Attributes attributes, PendingCapture captured, Precision precision, Cancellation cancellation) {
        ticket = new SaveTicket(cancellation);
        stepInFlight = step;
        boolean cold = committed.get() < COLD_SAVES;
        busy = cold || precision == Precision.EXACT || options.resources().capture() == CaptureMode.FUSED
                ? awaited
                : background;
        rightOfWay.begin();
        inFlight = busy.submit(() -> {
            try {
                return save(step, attributes, captured, precision);
            } finally {
                rightOfWay.end();
            }
        });
    }

    /// Waits until the running save, if there is one, is committed or has failed.
    ///
    /// @return how it ended; empty if no save was running
    public Optional<SaveOutcome> await() throws IOException {
        Future<SaveOutcome> running = inFlight;
        if (running == null) {
            return Optional.empty();
        }
        inFlight = null;
        try {
            return Optional.of(running.get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException conflict) {
                throw conflict;
            }
            throw new IllegalStateException("the saving thread failed", e.getCause());
        } catch (InterruptedException e) {
            inFlight = running;
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the save of step " + stepInFlight, e);
        }
    }

    /// Waits for the running save. If it is cancelled in the meantime or takes too long, it is told to end. If it
    /// does not end, because it hangs in the storage, it is abandoned.
    ///
    /// @return how it ended; empty if no save was running
    public Optional<SaveOutcome> await(Cancellation cancellation, BooleanSupplier tooLong) throws IOException {
        Future<SaveOutcome> running = inFlight;
        if (running == null) {
            return Optional.empty();
        }
        while (!cancellation.isCancelled() && !tooLong.getAsBoolean()) {
            if (isOver(running, WATCH)) {
                return await();
            }
        }
        ticket.withdraw();
        if (isOver(running, ABORT_PATIENCE)) {
            return await();
        }
        inFlight = null;
        abandoned = true;
        tellAborted(stepInFlight);
        return Optional.of(new SaveOutcome.Aborted(stepInFlight));
    }

    /// Whether the save has finished, after waiting for this long in real time.
    private boolean isOver(Future<SaveOutcome> running, Duration patience) throws IOException {
        try {
            running.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException reportedByAwait) {
            return true;
        } catch (TimeoutException stillSaving) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the save of step " + stepInFlight, e);
        }
        return true;
    }

    /// Whether a save is still running after waiting for this long.
    public boolean isSaving(Duration patience) throws IOException {
        Future<SaveOutcome> running = inFlight;
        return running != null && !running.isDone() && !isOver(running, patience);
    }

    /// Runs on the saving thread, from the captured state to the outcome. Each stage is a type. Listeners receive
    /// the outcome when all other work is done. A conflict is rethrown, so that it reaches the training thread.
    private SaveOutcome save(long step, Attributes attributes, PendingCapture captured, Precision precision)
            throws CommitConflictException {
        SaveOutcome outcome;
        try {
            // Values that no record may contain are refused before anything is written.
            var _ = new CheckpointWriter.Description(
                    step,
                    options.environment().time().now(),
                    null,
                    options.encoding().codec().text(),
                    attributes);
            long start = options.environment().time().nanos();
            StagedState staged = stage(captured, precision);
            CheckpointWriter.Description description;
            try {
                ticket.check(); // the last check: from here on the save is not abandoned
                var cost = new SaveCost(captured.waited(), since(start));
                description = describe(step, attributes.with(cost.asAttributes()), staged);
            } catch (IOException | RuntimeException | Error e) {
                writer.discard(List.of(staged.staged()));
                throw e;
            }
            Commit checkpoint = writer.commit(description, List.of(staged.staged()));
            var made = new SaveOutcome.Committed(
                    Checkpoint.of(checkpoint), captured.waited(), since(start), staged.error());
            committed(checkpoint, precision, staged, made);
            outcome = made;
        } catch (SaveTicket.AbortedException e) {
            encoder.forget();
            outcome = new SaveOutcome.Aborted(step);
            tellAborted(step);
        } catch (Throwable e) { // Any error, even out of memory, must be reported and must not end the training.
            encoder.forget();
            outcome = new SaveOutcome.Failed(step, e);
            failed.incrementAndGet();
            lastFailed = true;
            followers.failed();
            listener.on(new CheckpointEvent.SaveFailed(step, e));
            if (e instanceof CommitConflictException conflict) {
                throw conflict;
            }
        } finally {
            captured.release();
        }
        return outcome;
    }

    /// Captured → staged: encodes and writes the state durably.
    private StagedState stage(PendingCapture captured, Precision precision) throws Throwable {
        ticket.check();
        List<Tensor> tensors = captured.tensors();
        doubts.inStore(store).ifPresent(listener::on);
        if (isTight(tensors)) {
            encoder.forget();
        }
        var busyTime = new BusyTime(options.environment().time());
        long start = busyTime.start();
        Effort effort = pace.next(start);
        EncodingPlan plan = encoder.plan(tensors, precision, effort);
        busyTime.end(start);
        var contents = new Contents(
                WatchedTensor.all(plan.tensors(), ticket, captured, busyTime), plan.tables(), plan.lanes());
        Staged staged = writer.stage(WRITER, contents);
        if (plan.decision().isPresent()) {
            pace.took(effort, busyTime.nanos());
        }
        return new StagedState(staged, plan.parent(), plan.error(), plan.decision(), plan.delta());
    }

    private CheckpointWriter.Description describe(long step, Attributes attributes, StagedState staged) {
        return new CheckpointWriter.Description(
                step,
                options.environment().time().now(),
                staged.parent(),
                options.encoding().codec().text(),
                attributes.with(staged.decision().isPresent() ? staged.error().asAttributes() : Attributes.empty()));
    }

    /// If the space cannot be determined, the save itself reports that there is not enough.
    private boolean isTight(List<Tensor> tensors) {
        long bytes = tensors.stream()
                .filter(tensor -> tensor.sameAs() == null)
                .mapToLong(tensor -> tensor.spec().sizeBytes())
                .sum();
        try {
            return room.make(bytes, lastFailed) == Room.Left.TIGHT;
        } catch (IOException unknown) {
            return false;
        }
    }

    /// The work after a commit. If it fails, the checkpoint remains committed.
    private void committed(Commit checkpoint, Precision precision, StagedState staged, SaveOutcome.Committed made) {
        committed.incrementAndGet();
        lastFailed = false;
        lastSavedStep = checkpoint.step();
        lastSavedExactly =
                precision == Precision.EXACT || !options.encoding().codec().isLossy();
        try {
            encoder.committed(checkpoint, staged.error());
            followers.committed(checkpoint, made.stall());
            Optional<CheckpointEvent.TooCoarse> coarse = staged.decision()
                    .flatMap(decision -> coarseSaves.judge(checkpoint.step(), decision, staged.error()));
            housekeeping.after(checkpoint);
            listener.on(new CheckpointEvent.Committed(
                    made.checkpoint(), made.stall(), made.persist(), made.error(), staged.delta()));
            coarse.ifPresent(listener::on);
        } catch (RuntimeException | Error e) { // Out of memory, or out of threads.
            encoder.forget();
            listener.on(new CheckpointEvent.HousekeepingFailed(checkpoint.step(), e));
        }
    }

    /// Called when the save ends, or earlier by a thread that stops waiting for it.
    private void tellAborted(long step) {
        if (ticket.endsNow()) {
            aborted.incrementAndGet();
            followers.failed();
            listener.on(new CheckpointEvent.SaveAborted(step));
        }
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(options.environment().time().nanos() - startNanos);
    }

    /// Runs this when a hanging save has ended, without waiting for it.
    public void closeAfter(Runnable last) {
        busy.execute(last);
        close();
    }

    @Override
    public void close() {
        background.shutdown();
        awaited.shutdown();
    }
}
