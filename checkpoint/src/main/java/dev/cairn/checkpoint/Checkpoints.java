package dev.cairn.checkpoint;

import dev.cairn.checkpoint.Capture.Tensor;
import dev.cairn.checkpoint.StateEncoder.Plan;
import dev.cairn.checkpoint.StateEncoder.Precision;
import dev.cairn.store.Attributes;
import dev.cairn.store.BlobStore;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointWriter;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.LocalBlobStore;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.WriterLock;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Keeps one training run alive.
///
/// ```java
/// try (Checkpoints checkpoints = Checkpoints.open(run, CheckpointOptions.defaults())) {
///     checkpoints.restoreLatest(state);
///     while (training) {
///         // … make a step …
///         checkpoints.afterStep(step, state);
///     }
///     checkpoints.saveNow(step, state);
/// }
/// ```
///
/// The training thread waits only while the state is copied; encoding, writing and committing happen on a thread of
/// their own. Saves never overlap: one that falls due during another waits a moment, then is skipped, and says so. A
/// failed save is an event
/// and does not stop the training. All methods are for the training thread.
public final class Checkpoints implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");
    /// How often somebody who waits for a save looks whether it is cancelled.
    private static final Duration WATCH = Duration.ofMillis(50);
    /// How long a cancelled save may take to end: time for a block, or for a sync of what is written.
    private static final Duration ABORT_PATIENCE = Duration.ofSeconds(3);

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final WriterLock lock;
    private final CheckpointOptions options;
    private final Capture capture = new Capture();
    private final StateEncoder encoder;
    private final CoarseSaves coarseSaves;
    private final ExecutorService saver = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-saver").daemon(true).factory());

    private @Nullable Future<?> inFlight;
    private volatile SaveTicket ticket = new SaveTicket(Cancellation.never());
    private boolean abandoned;
    private long stepInFlight;
    private long lastSaveNanos;
    private volatile long lastSavedStep = -1;
    private volatile boolean lastSavedExactly;
    private Duration stall = Duration.ZERO;
    private int skipped;
    private final AtomicInteger committed = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private volatile boolean lastFailed;

    private Checkpoints(CheckpointStore store, WriterLock lock, CheckpointOptions options) throws IOException {
        this.store = store;
        this.writer = store.writer(this::checkBeforeCommit);
        this.lock = lock;
        this.options = options;
        this.encoder = new StateEncoder(options.codec(), options.longestChain());
        this.coarseSaves = new CoarseSaves(options.codec());
        this.lastSaveNanos = options.time().nanos();
    }

    /// Opens the run in this folder for training, creating it where it is absent, and becomes its one writer.
    public static Checkpoints open(Path run, CheckpointOptions options) throws IOException {
        LocalBlobStore.createFolder(run);
        WriterLock lock = WriterLock.take(run, options.time().now());
        return open(new LocalBlobStore(run), lock, options);
    }

    /// @param lock closed with the result, or where this throws
    static Checkpoints open(BlobStore blobs, WriterLock lock, CheckpointOptions options) throws IOException {
        try {
            return new Checkpoints(new CheckpointStore(blobs), lock, options);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /// The newest checkpoint whose record reads: what the run is, before anything is loaded. Empty for a new run.
    public Optional<Checkpoint> newestRecord() throws IOException {
        return new Restorer(store, this::tell).newestRecord();
    }

    /// Puts the newest checkpoint that verifies into the live state, and tells the listener which were passed over.
    /// Empty where the run has none yet; [NothingToRestoreException] where it has some and none verifies.
    public Optional<Checkpoint> restoreLatest(TrainingState state) throws IOException {
        long start = options.time().nanos();
        Optional<Checkpoint> restored = new Restorer(store, this::tell).restoreLatest(state);
        restored.ifPresent(checkpoint -> {
            lastSavedStep = checkpoint.step();
            lastSavedExactly = true;
            tell(new CheckpointEvent.Restored(checkpoint, since(start)));
        });
        return restored;
    }

    /// Begins the run anew at step 0. Its checkpoints so far stay on disk, but are no longer part of it.
    /// Refused where a later Cairn has written into the run.
    public void startFresh() throws IOException {
        for (CheckpointStore.Entry entry : store.currentEntries()) {
            if (entry instanceof CheckpointStore.Entry.Unreadable(long _, NewerFormatException newer)) {
                throw newer;
            }
        }
        awaitSave();
        writer.commitFreshStart(options.time().now());
        encoder.failed();
        lastSavedStep = -1;
    }

    /// Throws where the state would not fit into the store.
    public void checkRoom(TrainingState state) throws IOException {
        writer.checkRoom(state.tensors().stream()
                .mapToLong(tensor -> tensor.spec().sizeBytes())
                .sum());
    }

    /// Saves if the policy says so. Returns as soon as the state is copied.
    ///
    /// @throws CommitConflictException where another writer has taken over the run: this one must stop
    public void afterStep(long step, TrainingState state) throws IOException {
        Duration sinceLast = since(lastSaveNanos);
        if (!options.policy().isDue(new SavePolicy.Moment(step, sinceLast))) {
            return;
        }
        if (isSaving(options.policy().patience())) {
            skipped++;
            tell(new CheckpointEvent.SaveSkipped(step, stepInFlight));
            return;
        }
        awaitSave();
        beginSave(step, state, Precision.USUAL, Cancellation.never());
    }

    /// Saves this step now, bit for bit whatever the codec, and waits until it is committed or has failed. It does not
    /// throw where the save fails: [#statistics] tells.
    public void saveNow(long step, TrainingState state) throws IOException {
        awaitSave();
        beginSave(step, state, Precision.EXACT, Cancellation.never());
        long start = options.time().nanos();
        awaitSave();
        stall = stall.plus(since(start));
    }

    /// Makes sure that this step is saved bit for bit, unless it is cancelled first: then no record of it is
    /// written and the run's last checkpoint stays what it was. A save under way goes first, but gets no more than
    /// half of the time that is left; then it is given up for this one. Returns within seconds of the cancellation,
    /// even where the storage hangs; after that nothing more can be saved, only closed.
    ///
    /// @return whether the step is saved; false where the save was cancelled or failed
    public boolean saveNow(long step, TrainingState state, Cancellation cancellation) throws IOException {
        long start = options.time().nanos();
        try {
            awaitSave(cancellation, () -> since(start).compareTo(cancellation.timeLeft()) >= 0);
            if (cancellation.isCancelled() || isSaved(step)) {
                return isSaved(step);
            }
            beginSave(step, state, Precision.EXACT, cancellation);
            awaitSave(cancellation, () -> false);
            return isSaved(step);
        } finally {
            stall = stall.plus(since(start));
        }
    }

    /// The step of the last checkpoint that was saved, or restored; empty where there is none.
    public OptionalLong lastSavedStep() {
        return lastSavedStep < 0 ? OptionalLong.empty() : OptionalLong.of(lastSavedStep);
    }

    /// Whether this step is saved exactly: by the last save, or by the checkpoint that was restored.
    public boolean isSaved(long step) throws IOException {
        awaitSave();
        return lastSavedStep == step && lastSavedExactly;
    }

    /// Waits until the save under way, if there is one, is committed or has failed.
    public void awaitSave() throws IOException {
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

    /// How many checkpoints the run has now.
    public int count() throws IOException {
        return store.currentEntries().size();
    }

    public SaveStatistics statistics() {
        return new SaveStatistics(committed.get(), failed.get(), skipped, aborted.get(), stall, lastFailed);
    }

    /// Waits for a save under way and gives up the run. After a save that was cancelled and hangs in the storage, the
    /// run is given up when that ends, and nobody waits for it.
    @Override
    public void close() throws IOException {
        if (abandoned) {
            saver.execute(this::releaseQuietly);
            saver.shutdown();
            return;
        }
        try {
            awaitSave();
        } finally {
            saver.shutdown();
            release();
        }
    }

    private void release() throws IOException {
        capture.close();
        encoder.close();
        lock.close();
    }

    private void releaseQuietly() {
        try {
            release();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "run not released", e);
        }
    }

    /// Waits for the save under way. Where it is cancelled meanwhile, or takes too long, it is told
    /// to end;
    /// where it does not, being stuck in the storage, it is abandoned.
    private void awaitSave(Cancellation cancellation, BooleanSupplier tooLong) throws IOException {
        Future<?> running = inFlight;
        if (running == null) {
            return;
        }
        while (!cancellation.isCancelled() && !tooLong.getAsBoolean()) {
            if (isOver(running, WATCH)) {
                awaitSave();
                return;
            }
        }
        ticket.withdraw();
        if (isOver(running, ABORT_PATIENCE)) {
            awaitSave();
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
        } catch (ExecutionException reportedByAwaitSave) {
            return true;
        } catch (TimeoutException stillSaving) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the save of step " + stepInFlight, e);
        }
        return true;
    }

    /// The last moment to give up, or to find that the run is another's.
    private void checkBeforeCommit() throws IOException {
        ticket.check();
        lock.check();
    }

    /// Whether a save is under way still after waiting for it this long.
    private boolean isSaving(Duration patience) throws IOException {
        Future<?> running = inFlight;
        if (running == null || running.isDone()) {
            return false;
        }
        long start = options.time().nanos();
        try {
            return !isOver(running, patience);
        } finally {
            stall = stall.plus(since(start));
        }
    }

    private void beginSave(long step, TrainingState state, Precision precision, Cancellation cancellation) {
        if (abandoned) {
            throw new IllegalStateException("a save that was given up is stuck in the storage; close, then open again");
        }
        ticket = new SaveTicket(cancellation);
        long start = options.time().nanos();
        lastSaveNanos = start;
        stepInFlight = step;
        List<Tensor> tensors = capture.take(state.tensors());
        Attributes attributes = state.attributes();
        Duration waited = since(start);
        stall = stall.plus(waited);
        inFlight = saver.submit(() -> {
            save(step, attributes, tensors, precision, waited);
            return null;
        });
    }

    /// On the saving thread. A conflict is thrown on, to reach the training thread; any other failure is an event.
    private void save(long step, Attributes attributes, List<Tensor> tensors, Precision precision, Duration waited)
            throws CommitConflictException {
        long start = options.time().nanos();
        try {
            ticket.check();
            Plan plan = encoder.plan(tensors, precision);
            var description = new CheckpointWriter.Description(
                    step, options.time().now(), plan.parent(), options.codec().text(), attributes);
            Checkpoint checkpoint =
                    writer.commit(description, ticket.checked(plan.tensors()), plan.codeTables(), this::findings);
            encoder.committed(checkpoint);
            committed.incrementAndGet();
            lastFailed = false;
            lastSavedStep = step;
            lastSavedExactly = precision == Precision.EXACT || !options.codec().isLossy();
            tell(new CheckpointEvent.Committed(checkpoint, waited, since(start), encoder.error()));
            encoder.decision()
                    .flatMap(made -> coarseSaves.judge(step, made, encoder.error()))
                    .ifPresent(this::tell);
        } catch (SaveTicket.AbortedException e) {
            encoder.failed();
            tellAborted(step);
        } catch (Throwable e) { // Whatever it is, out of memory too: it must not end the training, nor go unheard.
            encoder.failed();
            failed.incrementAndGet();
            lastFailed = true;
            tell(new CheckpointEvent.SaveFailed(step, e));
            if (e instanceof CommitConflictException conflict) {
                throw conflict;
            }
        }
    }

    /// Told when the save ends, or before that by who stops waiting for it.
    private void tellAborted(long step) {
        if (ticket.endsNow()) {
            aborted.incrementAndGet();
            tell(new CheckpointEvent.SaveAborted(step));
        }
    }

    /// What encoding came to, for the record.
    private Attributes findings() {
        return encoder.decision().isPresent() ? encoder.error().asAttributes() : Attributes.empty();
    }

    /// A listener that throws must not turn a good save into a failed one, nor end the training.
    private void tell(CheckpointEvent event) {
        try {
            options.listener().on(event);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "listener failed", e);
        }
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(options.time().nanos() - startNanos);
    }
}
