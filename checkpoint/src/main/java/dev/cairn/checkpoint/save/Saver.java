package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.Cancellation;
import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.SaveOutcome;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.checkpoint.background.BackgroundThreads;
import dev.cairn.checkpoint.capture.Capture.Tensor;
import dev.cairn.checkpoint.capture.PendingCapture;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.encode.CoarseSaves;
import dev.cairn.checkpoint.encode.EncodingPlan;
import dev.cairn.checkpoint.encode.StateEncoder;
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

/// Encodes, writes and commits what was captured, on a thread of its own, one save at a time; and knows how each ended.
/// A save that the training waits for has another thread, which does not give way. Methods are for the training thread.
public final class Saver implements AutoCloseable {
    /// Who writes the segments of a run that one process saves.
    private static final String WRITER = "main";

    /// How often somebody who waits for a save looks whether it is cancelled.
    private static final Duration WATCH = Duration.ofMillis(50);
    /// How long a cancelled save may take to end: time for a block, or for a sync of what is written.
    private static final Duration ABORT_PATIENCE = Duration.ofSeconds(3);
    /// The base and the first delta, whose code is compiled beside them. They do not give way to the training:
    /// beside the compiler they would hardly get on.
    private static final int COLD_SAVES = 2;

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final Doubts doubts;
    private final SaveFollowers followers;
    private final Room room;
    private final StateEncoder encoder;
    private final Housekeeping housekeeping;
    private final CheckpointOptions options;
    private final CheckpointEvent.Listener listener;
    private final CoarseSaves coarseSaves;
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
            Doubts doubts,
            SaveFollowers followers,
            Room room,
            StateEncoder encoder,
            Housekeeping housekeeping,
            CheckpointOptions options,
            CheckpointEvent.Listener listener) {
        this.store = store;
        this.writer = writer;
        this.doubts = doubts;
        this.followers = followers;
        this.room = room;
        this.encoder = encoder;
        this.housekeeping = housekeeping;
        this.options = options;
        this.listener = listener;
        this.coarseSaves = new CoarseSaves(options.encoding().codec());
    }

    /// The state now is that of this step, saved so far or not; -1 where nothing is.
    public void startAt(long step, boolean exactly) {
        lastSavedStep = step;
        lastSavedExactly = exactly;
    }

    public long lastSavedStep() {
        return lastSavedStep;
    }

    /// For who has waited for the save under way.
    public boolean isSavedExactly(long step) {
        return lastSavedStep == step && lastSavedExactly;
    }

    public long stepInFlight() {
        return stepInFlight;
    }

    public SaveStatistics statistics(int skipped, Duration stall) {
        return new SaveStatistics(committed.get(), failed.get(), skipped, aborted.get(), stall, lastFailed);
    }

    /// Throws where a save that was given up hangs in the storage.
    public void checkUsable() {
        if (abandoned) {
            throw new IllegalStateException("a save that was given up is stuck in the storage; close, then open again");
        }
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    /// Begins to save what is being captured. The save before must be over.
    public void submit(
            long step, Attributes attributes, PendingCapture captured, Precision precision, Cancellation cancellation) {
        ticket = new SaveTicket(cancellation);
        stepInFlight = step;
        boolean cold = committed.get() < COLD_SAVES;
        busy = cold || precision == Precision.EXACT || options.resources().capture() == CaptureMode.FUSED
                ? awaited
                : background;
        inFlight = busy.submit(() -> save(step, attributes, captured, precision));
    }

    /// Waits until the save under way, if there is one, is committed or has failed.
    ///
    /// @return how it ended; empty where there was none
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

    /// Waits for the save under way. Where it is cancelled meanwhile, or takes too long, it is told to
    /// end; where it does not, being stuck in the storage, it is abandoned.
    ///
    /// @return how it ended; empty where there was none
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

    /// Whether the save is over, after waiting for it this long in real time.
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

    /// Whether a save is under way still after waiting for it this long.
    public boolean isSaving(Duration patience) throws IOException {
        Future<SaveOutcome> running = inFlight;
        return running != null && !running.isDone() && !isOver(running, patience);
    }

    /// On the saving thread: from what was captured to how it ended. The steps are types; the last one is told to
    /// listeners when all else is done. A conflict is thrown on, to reach the training thread.
    private SaveOutcome save(long step, Attributes attributes, PendingCapture captured, Precision precision)
            throws CommitConflictException {
        SaveOutcome outcome;
        try {
            // What no record may say is refused before anything is written.
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
                ticket.check(); // the last look: from here on the save is not given up any more
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
        } catch (Throwable e) { // Whatever it is, out of memory too: it must not end the training, nor go unheard.
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

    /// Captured → staged: encoded and written, durably.
    private StagedState stage(PendingCapture captured, Precision precision) throws Throwable {
        ticket.check();
        List<Tensor> tensors = captured.tensors();
        doubts.inStore(store).ifPresent(listener::on);
        if (isTight(tensors)) {
            encoder.forget();
        }
        EncodingPlan plan = encoder.plan(tensors, precision);
        var contents =
                new Contents(WatchedTensor.all(plan.tensors(), ticket, captured), plan.codeTables(), plan.lanes());
        Staged staged = writer.stage(WRITER, contents);
        return new StagedState(staged, plan.parent(), plan.error(), plan.decision());
    }

    private CheckpointWriter.Description describe(long step, Attributes attributes, StagedState staged) {
        return new CheckpointWriter.Description(
                step,
                options.environment().time().now(),
                staged.parent(),
                options.encoding().codec().text(),
                attributes.with(staged.decision().isPresent() ? staged.error().asAttributes() : Attributes.empty()));
    }

    /// Where there is no room and it cannot be told, the save will.
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

    /// What comes after a commit. Whatever goes wrong with it, the checkpoint stands.
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
            listener.on(new CheckpointEvent.Committed(made.checkpoint(), made.stall(), made.persist(), made.error()));
            coarse.ifPresent(listener::on);
        } catch (RuntimeException | Error e) { // Out of memory, or of threads.
            encoder.forget();
            listener.on(new CheckpointEvent.HousekeepingFailed(checkpoint.step(), e));
        }
    }

    /// Told when the save ends, or before that by who stops waiting for it.
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

    /// Does this when a save that hangs has ended, and does not wait for it.
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
