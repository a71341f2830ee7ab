package dev.cairn.checkpoint;

import dev.cairn.checkpoint.capture.CopyThreads;
import dev.cairn.checkpoint.copy.SecondTier;
import dev.cairn.checkpoint.encode.StateEncoder.Precision;
import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.StoreLockedException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.right.Generation;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/// Saves the checkpoints of one training run, and resumes the run from them.
///
/// ```java
/// try (Checkpoints checkpoints = Checkpoints.open(run, CheckpointOptions.defaults())) {
///     long step = checkpoints.resume(state);
///     while (step < steps) {
///         // … forward and backward pass …
///         checkpoints.beforeUpdate();
///         // … the optimizer changes the state …
///         checkpoints.afterStep(++step, state);
///     }
///     checkpoints.saveNow(step, state);
/// }
/// ```
///
/// The training thread waits while the state is copied, and for a save that is still running. If the loop calls
/// [#beforeUpdate], the copy is made
/// during its next forward and backward pass. Encoding, writing and committing happen on a separate thread.
///
/// Saves never overlap. A save that is due while another one is running waits for it, at most as long as
/// [SavePolicy#patience], and not at all with a write limit. After that it is skipped, and an event reports this. All
/// these waits together take at
/// most two seconds plus a twentieth of the training's time; beyond that, saves are skipped at once. To get every
/// save, however long it takes, call [#awaitSave] before [#afterStep].
///
/// A failed save is reported as an event and does not stop the training. A save that is not possible at all is
/// refused with an exception before anything is written: for example, if its step is before the last saved step,
/// or if two tensors have the same name. All methods are for the training thread.
public final class Checkpoints implements AutoCloseable {
    private final RunParts run;
    private final LoopWaits waits;
    private final LoopRestores restores;
    private final LoopSaves saves;
    private boolean closed;

    private Checkpoints(RunParts run) {
        this.run = run;
        this.waits = new LoopWaits(run);
        this.restores = new LoopRestores(run);
        this.saves = new LoopSaves(run, restores, waits);
    }

    /// Opens the run in this folder for training, and becomes its only writer. The run is created if it does not
    /// exist. The right to write is a lock of the operating system. If other machines may share the folder, it is
    /// a lease, for which this may have to wait: see [CheckpointOptions#withClaim].
    ///
    /// @throws StoreLockedException if another live process is the writer
    public static Checkpoints open(Path run, CheckpointOptions options) throws IOException {
        return open(run, options, RunOpening.threads(options));
    }

    /// As [#open(Path, CheckpointOptions)], with these threads, which are closed with the run.
    static Checkpoints open(Path run, CheckpointOptions options, CopyThreads copying) throws IOException {
        return new Checkpoints(RunOpening.in(run, options, copying));
    }

    /// As [#open(Path, CheckpointOptions)], for a run in a folder or in the storage that belongs to the
    /// location's scheme. Storage needs its module on the class path, such as `cairn-s3` for
    /// `s3://bucket/prefix`.
    ///
    /// @throws IllegalArgumentException if there is no storage for the scheme, or the location cannot hold a run
    public static Checkpoints open(RunLocation run, CheckpointOptions options) throws IOException {
        return open(run, StorageSettings.none(), options);
    }

    /// As [#open(RunLocation, CheckpointOptions)], with settings for the storage, such as the endpoint of a
    /// server.
    public static Checkpoints open(RunLocation run, StorageSettings settings, CheckpointOptions options)
            throws IOException {
        return new Checkpoints(RunOpening.at(run, settings, options));
    }

    /// As [#open(Path, CheckpointOptions)], in any storage. The right to write is a lease. The caller closes the
    /// storage.
    public static Checkpoints open(BlobStore store, CheckpointOptions options) throws IOException {
        return open(store, WriterRight.take(store, options.environment().claim()), options);
    }

    /// As [#open(BlobStore, CheckpointOptions)], with a right to write that the caller already has.
    ///
    /// @param right the right to write there; closed with the result, or if this throws
    public static Checkpoints open(BlobStore store, WriterRight right, CheckpointOptions options) throws IOException {
        return new Checkpoints(RunOpening.in(store, right, options));
    }

    /// Fetches the newest whole checkpoint of the copy, so that the run continues from it. Does nothing if the
    /// run itself has a checkpoint with all its files.
    ///
    /// @return the checkpoint that was fetched
    public Optional<Checkpoint> fetchCopy() throws IOException {
        requireOpen();
        return restores.fetchCopy();
    }

    /// When this run saves.
    public SavePolicy policy() {
        return run.options.policy();
    }

    /// How far the copy is behind the run; empty if the run has no copy.
    public Optional<CopyLag> copyLag() {
        return run.copy.map(SecondTier::lag);
    }

    /// The newest checkpoint whose record can be read. It describes the run before anything is loaded. Empty for
    /// a new run.
    public Optional<Checkpoint> newestRecord() throws IOException {
        requireOpen();
        return new Restorer(run.store, run.events).record(new Selector.Latest()).map(Checkpoint::of);
    }

    /// The tensors of the newest checkpoint whose record can be read; none for a new run.
    public List<TensorSpec> newestTensors() throws IOException {
        requireOpen();
        return new Restorer(run.store, run.events)
                .manifest(new Selector.Latest())
                .map(newest -> newest.tensors().stream().map(TensorRef::spec).toList())
                .orElse(List.of());
    }

    /// The step of the newest checkpoint that is not after this step.
    public OptionalLong newestStepUpTo(long step) throws IOException {
        requireOpen();
        Optional<Commit> found = new Restorer(run.store, _ -> {}).record(new Selector.UpTo(step, 1));
        return found.isPresent() ? OptionalLong.of(found.get().step()) : OptionalLong.empty();
    }

    /// Resumes the run: restores the newest checkpoint that verifies into the live state, as
    /// [#restoreLatest(TrainingState)] does.
    ///
    /// @return the step to continue from; 0 for a new run
    public long resume(TrainingState state) throws IOException {
        return restoreLatest(state).map(Checkpoint::step).orElse(0L);
    }

    /// Restores the newest checkpoint that verifies into the live state. The listeners are told which checkpoints
    /// were passed over.
    ///
    /// @return the restored checkpoint; empty if the run has none yet
    /// @throws NothingToRestoreException if the run has checkpoints and none of them verifies
    /// @throws StateMismatchException if its tensors do not match the live state
    public Optional<Checkpoint> restoreLatest(TrainingState state) throws IOException {
        return restoreLatest(state, Matching.WHOLE);
    }

    /// As [#restoreLatest(TrainingState)], into a state that may differ from the checkpoint as far as the
    /// matching allows.
    public Optional<Checkpoint> restoreLatest(TrainingState state, Matching matching) throws IOException {
        awaitAll();
        return restores.latest(state, matching);
    }

    /// As [#restoreLatest(TrainingState)], into a state that is made for the checkpoint.
    public Optional<Checkpoint> restoreLatest(StateMaker maker) throws IOException {
        awaitAll();
        return restores.latest(maker);
    }

    /// Continues a run whose training has all its state and was only left by its previous writer, such as one in a
    /// process that was killed. Nothing is restored, and the next save is a base.
    ///
    /// @return the newest checkpoint of the run; empty if it has none
    public Optional<Checkpoint> continueUnrestored() throws IOException {
        awaitAll();
        return restores.unrestored();
    }

    /// Goes back in a run that went wrong: restores an earlier checkpoint into the live state. The next save
    /// builds on it. Later checkpoints do not change, and count as newer until that save.
    ///
    /// @param step checkpoints up to this step are good
    /// @param back which checkpoint up to this step: 1 for the newest, 2 for the one before it; the oldest if
    ///     there are fewer
    /// @return the restored checkpoint; empty if there is none
    public Optional<Checkpoint> rollBack(long step, int back, TrainingState state) throws IOException {
        awaitAll();
        return restores.rollBack(step, back, state);
    }

    /// Starts this run, which has no checkpoint yet, from a checkpoint of another run, and restores that into the
    /// live state. The other run is only read. The first checkpoint of this run is a base. All its checkpoints
    /// record their [Origin].
    ///
    /// @throws NoSuchCheckpointException if the other run does not have this checkpoint
    /// @throws IllegalStateException if this run has checkpoints
    public Checkpoint restoreFrom(ForkPoint point, TrainingState state, Matching matching) throws IOException {
        awaitSave();
        return restores.fork(point, state, matching);
    }

    /// Starts the run again at step 0. Its present checkpoints stay on disk, but are no longer part of the run.
    ///
    /// @throws dev.cairn.store.NewerFormatException if a later version of Cairn has written into the run
    public void startFresh() throws IOException {
        requireOpen();
        restores.startFresh();
    }

    /// Throws if the state would not fit into the store, even after the checkpoints that retention does not keep
    /// are removed.
    public void checkRoom(TrainingState state) throws IOException {
        requireOpen();
        long bytes = state.tensors().stream()
                .mapToLong(tensor -> tensor.spec().sizeBytes())
                .sum();
        if (lastSavedStep().isPresent()) {
            run.room.make(bytes, false);
        }
        run.writer.checkRoom(bytes);
    }

    /// Announces that the optimizer is about to change the state. Returns when no capture reads the state any
    /// more. Costs almost nothing if no capture is running.
    ///
    /// A loop that calls this before every update gets overlapped captures: [#afterStep] returns at once, and the
    /// state is captured during the next forward and backward pass. If the update before [#afterStep] was not
    /// announced, the next one is not expected to be announced either, and the capture is complete when
    /// [#afterStep] returns. Call this also before the memory of the tensors is freed, or changed in any other
    /// way.
    public void beforeUpdate() {
        requireOpen();
        run.captures.announceUpdate();
        waits.forCapture();
    }

    /// Saves if the policy asks for it, or if there is doubt whether an earlier save can be read. Returns as soon
    /// as the state is captured, or at once if updates are announced by [#beforeUpdate]: then weights and
    /// optimizer state must not change before the next such call. Attributes, random states, cursors and buffers,
    /// which a forward pass may change, are always captured before this returns.
    ///
    /// @throws CommitConflictException if another writer has taken over the run: this one must stop
    public void afterStep(long step, TrainingState state) throws IOException {
        requireOpen();
        saves.afterStep(step, state);
    }

    /// As [#afterStep], after a step whose metrics were just measured and are attributes of the state. If
    /// retention keeps the best ([BestN][dev.cairn.store.retention.RetentionPolicy.BestN]) and this step would be
    /// among them, it is saved whatever the policy says. It is skipped if the training would then have waited for
    /// saves for more than 5 % of its time, and for more than a second. An automatic policy with a budget uses
    /// that budget instead of 5 %.
    ///
    /// @throws CommitConflictException if another writer has taken over the run: this one must stop
    public void afterScore(long step, TrainingState state) throws IOException {
        requireOpen();
        saves.afterScore(step, state);
    }

    /// Takes the run for a group of processes that train it together, before their first step. If the network
    /// cuts a job apart, each half may form a group, but only one of them can take the run.
    ///
    /// @throws dev.cairn.store.CommitConflictException if another process has taken it
    public void declare(Generation group) throws IOException {
        requireOpen();
        run.declare(group);
    }

    /// Whether the policy asks for a save after this step, for a loop that decides together with other
    /// processes and then calls [#afterStep(long, TrainingState, boolean)]. Ask once for each step.
    public boolean isSaveDue(long step) throws IOException {
        requireOpen();
        return saves.isDue(step);
    }

    /// Whether [#afterScore] would save this step as one of the best, whatever the policy says.
    public boolean isBestToSave(long step, TrainingState scored) throws IOException {
        requireOpen();
        return saves.isBestToSave(step, scored);
    }

    /// As [#afterStep(long, TrainingState)], when it is already decided whether to save.
    ///
    /// @throws CommitConflictException if another writer has taken over the run: this one must stop
    public void afterStep(long step, TrainingState state, boolean save) throws IOException {
        requireOpen();
        saves.afterStep(step, state, save);
    }

    /// Saves this step now, bit for bit with any codec, and waits until it is committed or has failed.
    ///
    /// @return how it ended; a save that fails does not throw
    /// @throws CommitConflictException if another writer has taken over the run: this one must stop
    public SaveOutcome saveNow(long step, TrainingState state) throws IOException {
        requireOpen();
        return saves.now(step, state);
    }

    /// Makes sure that this step is saved bit for bit, unless the save is cancelled first: then no record of it
    /// is written, and the last checkpoint of the run does not change. A running save goes first, but gets at
    /// most half of the time that is left; then it is aborted in favour of this one. Returns within seconds of
    /// the cancellation, even if the storage hangs; after that the run can only be closed, and nothing more can
    /// be saved.
    ///
    /// @return how it ended
    public SaveOutcome saveNow(long step, TrainingState state, Cancellation cancellation) throws IOException {
        requireOpen();
        return saves.now(step, state, cancellation);
    }

    /// Saves a state that is a copy already, made while the training in another process waited for this long. Returns
    /// when it is committed or has failed. Until then nothing may change the state.
    ///
    /// @throws CommitConflictException if another writer has taken over the run: this one must stop
    public SaveOutcome saveCopy(long step, TrainingState copy, Duration waited) throws IOException {
        requireOpen();
        return saves.copy(step, copy, Precision.USUAL, waited);
    }

    /// As [#saveCopy], bit for bit with any codec, and without a limit of the bytes a second.
    public SaveOutcome saveCopyNow(long step, TrainingState copy, Duration waited) throws IOException {
        requireOpen();
        return saves.copy(step, copy, Precision.EXACT, waited);
    }

    /// Notes steps that a training in another process has made. A program that calls this uses [#isTimeToSave] and not
    /// [#isSaveDue]. May be called on any thread.
    ///
    /// @param each the mean time of each of these steps
    /// @param beside whether a save was running beside them
    public void noteSteps(int count, Duration each, boolean beside) {
        run.timing.noteSteps(count, each, beside);
    }

    /// Whether the policy asks for a save after this step, of a training in another process. May be called on any
    /// thread.
    public boolean isTimeToSave(long step) {
        return run.timing.isTimeToSave(step) || run.lineage.isInDoubt();
    }

    /// The step of the last checkpoint that was saved or restored; empty if there is none.
    public OptionalLong lastSavedStep() {
        long step = run.saver.lastSavedStep();
        return step < 0 ? OptionalLong.empty() : OptionalLong.of(step);
    }

    /// Whether this step is saved exactly: by the last save, or by the checkpoint that was restored.
    public boolean isSaved(long step) throws IOException {
        awaitSave();
        return run.saver.isSavedExactly(step);
    }

    /// Waits until the running save, if there is one, is committed or has failed.
    public void awaitSave() throws IOException {
        requireOpen();
        run.saver.await();
    }

    /// Waits until the running save and the work that follows it, such as a merge, are done.
    public void awaitHousekeeping() throws IOException {
        awaitSave();
        run.housekeeping.await();
    }

    /// Merges and removes checkpoints until little more is left than retention keeps and those checkpoints need.
    /// Call this when nothing more will be saved. Waits for the work, at most a second or two for each merge;
    /// larger chains stay as they are.
    ///
    /// @param stop asked from time to time; if it returns true, the work stops, and nothing is lost
    public void tidy(BooleanSupplier stop) throws IOException {
        awaitSave();
        if (!stop.getAsBoolean()) {
            run.throttle.lift();
            run.housekeeping.tidy(stop);
        }
    }

    /// The number of checkpoints that the run has now.
    public int count() throws IOException {
        requireOpen();
        return run.store.history().current().size();
    }

    /// The number of saves since the run was opened, and the time that the training waited for them.
    public SaveStatistics statistics() {
        return saves.statistics();
    }

    /// Waits for a running save and gives up the run. If a cancelled save hangs in the storage, this does not
    /// wait: the run is given up when that save ends. Closing again does nothing. After closing, only the methods
    /// that report results may be called: [#statistics], [#lastSavedStep] and [#copyLag].
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        run.warmUp.close();
        run.throttle.lift();
        if (run.saver.isAbandoned()) {
            closed = true;
            run.saver.closeAfter(run::releaseQuietly);
            return;
        }
        try {
            awaitAll();
        } finally {
            closed = true;
            run.saver.close();
            run.release();
        }
    }

    /// Waits until no thread reads the live tensors and no save is running.
    private void awaitAll() throws IOException {
        requireOpen();
        waits.forCapture();
        run.saver.await();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the run is closed: open it again with Checkpoints.open, and restore");
        }
    }
}
