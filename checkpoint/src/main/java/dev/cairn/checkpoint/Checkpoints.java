package dev.cairn.checkpoint;

import dev.cairn.checkpoint.Capture.Tensor;
import dev.cairn.checkpoint.StateEncoder.Plan;
import dev.cairn.checkpoint.StateEncoder.Precision;
import dev.cairn.store.Attributes;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
    private long stepInFlight;
    private long lastSaveNanos;
    private long lastSavedStep = -1;
    private boolean lastSavedExactly;
    private Optional<Origin> origin = Optional.empty();
    private Duration stall = Duration.ZERO;
    private int skipped;
    private final AtomicInteger committed = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean lastFailed;

    private Checkpoints(CheckpointStore store, CheckpointWriter writer, WriterLock lock, CheckpointOptions options) {
        this.store = store;
        this.writer = writer;
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
        try {
            var store = new CheckpointStore(new LocalBlobStore(run));
            return new Checkpoints(store, store.writer(lock::check), lock, options);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /// The newest checkpoint whose record reads: what the run is, before anything is loaded. Empty for a new run.
    public Optional<Checkpoint> newestRecord() throws IOException {
        return new Restorer(store, this::tell).record(new Selector.Latest());
    }

    /// Puts the newest checkpoint that verifies into the live state; tells the listener which were passed over.
    /// Empty where the run has none yet; [NothingToRestoreException] where it has some and none verifies;
    /// [StateMismatchException] where its tensors are not those of the live state.
    public Optional<Checkpoint> restoreLatest(TrainingState state) throws IOException {
        return restoreLatest(state, Matching.WHOLE);
    }

    /// As [#restoreLatest(TrainingState)], into a state that may differ from the checkpoint as the matching says.
    public Optional<Checkpoint> restoreLatest(TrainingState state, Matching matching) throws IOException {
        long start = options.time().nanos();
        var inPart = new AtomicBoolean();
        var restorer = new Restorer(store, event -> {
            inPart.set(event instanceof CheckpointEvent.RestoredInPart);
            tell(event);
        });
        Optional<Checkpoint> restored = restorer.restore(new Selector.Latest(), state, matching);
        restored.ifPresent(checkpoint -> {
            lastSavedStep = checkpoint.step();
            lastSavedExactly = !inPart.get();
            origin = Origin.of(checkpoint.attributes());
            tell(new CheckpointEvent.Restored(checkpoint, since(start)));
        });
        return restored;
    }

    /// Begins this run, which has no checkpoint yet, at a checkpoint of another: puts it into the live state. The
    /// other run is only read. The first checkpoint of this run is a base, and all of them tell their [Origin].
    ///
    /// @throws NoSuchCheckpointException where the other run has none such
    /// @throws IllegalStateException where this run has checkpoints
    public Checkpoint restoreFrom(ForkPoint point, TrainingState state, Matching matching) throws IOException {
        awaitSave();
        if (count() > 0) {
            throw new IllegalStateException("a fork needs a run without checkpoints: checkpoints=" + count());
        }
        long start = options.time().nanos();
        Checkpoint checkpoint = point.restore(state, matching, this::tell);
        encoder.failed(); // nothing of this run to build on: the next checkpoint is a base
        lastSavedStep = -1;
        origin = Optional.of(Origin.of(point.name(), checkpoint));
        tell(new CheckpointEvent.Forked(point.name(), checkpoint, since(start)));
        return checkpoint;
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
        origin = Optional.empty();
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
        beginSave(step, state, Precision.USUAL);
    }

    /// Saves this step now, bit for bit whatever the codec, and waits until it is committed or has failed. It does not
    /// throw where the save fails: [#statistics] tells.
    public void saveNow(long step, TrainingState state) throws IOException {
        awaitSave();
        beginSave(step, state, Precision.EXACT);
        long start = options.time().nanos();
        awaitSave();
        stall = stall.plus(since(start));
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
        return new SaveStatistics(committed.get(), failed.get(), skipped, stall, lastFailed);
    }

    /// Waits for a save under way and gives up the run.
    @Override
    public void close() throws IOException {
        try {
            awaitSave();
        } finally {
            saver.shutdown();
            capture.close();
            encoder.close();
            lock.close();
        }
    }

    /// Whether a save is under way still after waiting for it this long.
    private boolean isSaving(Duration patience) throws IOException {
        Future<?> running = inFlight;
        if (running == null || running.isDone()) {
            return false;
        }
        long start = options.time().nanos();
        try {
            running.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException reportedByAwaitSave) {
            return false;
        } catch (TimeoutException stillSaving) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the save of step " + stepInFlight, e);
        } finally {
            stall = stall.plus(since(start));
        }
        return false;
    }

    private void beginSave(long step, TrainingState state, Precision precision) {
        long start = options.time().nanos();
        lastSaveNanos = start;
        stepInFlight = step;
        List<Tensor> tensors = capture.take(state.tensors());
        Attributes attributes =
                state.attributes().with(origin.map(Origin::asAttributes).orElse(Attributes.empty()));
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
            Plan plan = encoder.plan(tensors, precision);
            var description = new CheckpointWriter.Description(
                    step, options.time().now(), plan.parent(), options.codec().text(), attributes);
            Checkpoint checkpoint = writer.commit(description, plan.tensors(), plan.codeTables(), this::findings);
            encoder.committed(checkpoint);
            committed.incrementAndGet();
            lastFailed = false;
            lastSavedStep = step;
            lastSavedExactly = precision == Precision.EXACT || !options.codec().isLossy();
            tell(new CheckpointEvent.Committed(checkpoint, waited, since(start), encoder.error()));
            encoder.decision()
                    .flatMap(made -> coarseSaves.judge(step, made, encoder.error()))
                    .ifPresent(this::tell);
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
