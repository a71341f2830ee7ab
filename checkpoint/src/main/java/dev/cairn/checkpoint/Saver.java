package dev.cairn.checkpoint;

import dev.cairn.checkpoint.Capture.Tensor;
import dev.cairn.checkpoint.StateEncoder.Plan;
import dev.cairn.checkpoint.StateEncoder.Precision;
import dev.cairn.store.Attributes;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointWriter;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.Contents;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
final class Saver implements AutoCloseable {
    /// How often somebody who waits for a save looks whether it is cancelled.
    private static final Duration WATCH = Duration.ofMillis(50);
    /// How long a cancelled save may take to end: time for a block, or for a sync of what is written.
    private static final Duration ABORT_PATIENCE = Duration.ofSeconds(3);
    /// The base and the first delta, whose code is compiled beside them. They do not give way to the training:
    /// beside the compiler they would hardly get on.
    private static final int COLD_SAVES = 2;

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final Lineage lineage;
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

    private @Nullable Future<?> inFlight;
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
    Saver(
            CheckpointStore store,
            CheckpointWriter writer,
            Lineage lineage,
            Room room,
            StateEncoder encoder,
            Housekeeping housekeeping,
            CheckpointOptions options,
            CheckpointEvent.Listener listener) {
        this.store = store;
        this.writer = writer;
        this.lineage = lineage;
        this.room = room;
        this.encoder = encoder;
        this.housekeeping = housekeeping;
        this.options = options;
        this.listener = listener;
        this.coarseSaves = new CoarseSaves(options.codec());
    }

    /// The state now is that of this step, saved so far or not; -1 where nothing is.
    void startAt(long step, boolean exactly) {
        lastSavedStep = step;
        lastSavedExactly = exactly;
    }

    long lastSavedStep() {
        return lastSavedStep;
    }

    /// For who has waited for the save under way.
    boolean isSavedExactly(long step) {
        return lastSavedStep == step && lastSavedExactly;
    }

    long stepInFlight() {
        return stepInFlight;
    }

    SaveStatistics statistics(int skipped, Duration stall) {
        return new SaveStatistics(committed.get(), failed.get(), skipped, aborted.get(), stall, lastFailed);
    }

    /// Throws where a save that was given up hangs in the storage.
    void checkUsable() {
        if (abandoned) {
            throw new IllegalStateException("a save that was given up is stuck in the storage; close, then open again");
        }
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /// Begins to save what is being captured. The save before must be over.
    void submit(
            long step, Attributes attributes, PendingCapture captured, Precision precision, Cancellation cancellation) {
        ticket = new SaveTicket(cancellation);
        stepInFlight = step;
        boolean cold = committed.get() < COLD_SAVES;
        busy = cold || precision == Precision.EXACT || options.capture() == CaptureMode.FUSED ? awaited : background;
        inFlight = busy.submit(() -> {
            save(step, attributes, captured, precision);
            return null;
        });
    }

    /// Waits until the save under way, if there is one, is committed or has failed.
    void await() throws IOException {
        Future<?> running = inFlight;
        if (running == null) {
            return;
        }
        inFlight = null;
        try {
            running.get();
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
    void await(Cancellation cancellation, BooleanSupplier tooLong) throws IOException {
        Future<?> running = inFlight;
        if (running == null) {
            return;
        }
        while (!cancellation.isCancelled() && !tooLong.getAsBoolean()) {
            if (isOver(running, WATCH)) {
                await();
                return;
            }
        }
        ticket.withdraw();
        if (isOver(running, ABORT_PATIENCE)) {
            await();
        } else {
            inFlight = null;
            abandoned = true;
            tellAborted(stepInFlight);
        }
    }

    /// Whether the save is over, after waiting for it this long in real time.
    private boolean isOver(Future<?> running, Duration patience) throws IOException {
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
    boolean isSaving(Duration patience) throws IOException {
        Future<?> running = inFlight;
        return running != null && !running.isDone() && !isOver(running, patience);
    }

    /// On the saving thread. A conflict is thrown on, to reach the training thread; any other failure is an event.
    private void save(long step, Attributes attributes, PendingCapture captured, Precision precision)
            throws CommitConflictException {
        try {
            ticket.check();
            List<Tensor> tensors = captured.tensors();
            long start = options.time().nanos();
            lineage.inspect(store).map(Lineage.Doubt::asEvent).ifPresent(listener::on);
            if (isTight(tensors)) {
                encoder.standAlone();
            }
            Plan plan = encoder.plan(tensors, precision);
            var description = new CheckpointWriter.Description(
                    step, options.time().now(), plan.parent(), options.codec().text(), attributes);
            var contents =
                    new Contents(WatchedTensor.all(plan.tensors(), ticket, captured), plan.codeTables(), plan.lanes());
            Checkpoint checkpoint = writer.commit(description, contents, () -> {
                ticket.check();
                return findings().with(new SaveCost(captured.waited(), since(start)).asAttributes());
            });
            committed.incrementAndGet();
            lastFailed = false;
            lastSavedStep = step;
            lastSavedExactly = precision == Precision.EXACT || !options.codec().isLossy();
            follow(checkpoint, captured.waited(), since(start));
        } catch (SaveTicket.AbortedException e) {
            encoder.failed();
            tellAborted(step);
        } catch (Throwable e) { // Whatever it is, out of memory too: it must not end the training, nor go unheard.
            encoder.failed();
            failed.incrementAndGet();
            lastFailed = true;
            listener.on(new CheckpointEvent.SaveFailed(step, e));
            if (e instanceof CommitConflictException conflict) {
                throw conflict;
            }
        } finally {
            captured.release();
        }
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
    private void follow(Checkpoint checkpoint, Duration stall, Duration persist) {
        try {
            encoder.committed(checkpoint);
            listener.on(new CheckpointEvent.Committed(checkpoint, stall, persist, encoder.error()));
            encoder.decision()
                    .flatMap(made -> coarseSaves.judge(checkpoint.step(), made, encoder.error()))
                    .ifPresent(listener::on);
            housekeeping.after(checkpoint);
        } catch (RuntimeException | Error e) { // Out of memory, or of threads.
            encoder.failed();
            listener.on(new CheckpointEvent.HousekeepingFailed(checkpoint.step(), e));
        }
    }

    /// Told when the save ends, or before that by who stops waiting for it.
    private void tellAborted(long step) {
        if (ticket.endsNow()) {
            aborted.incrementAndGet();
            listener.on(new CheckpointEvent.SaveAborted(step));
        }
    }

    /// What encoding came to, for the record.
    private Attributes findings() {
        return encoder.decision().isPresent() ? encoder.error().asAttributes() : Attributes.empty();
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(options.time().nanos() - startNanos);
    }

    /// Does this when a save that hangs has ended, and does not wait for it.
    void closeAfter(Runnable last) {
        busy.execute(last);
        close();
    }

    @Override
    public void close() {
        background.shutdown();
        awaited.shutdown();
    }
}
