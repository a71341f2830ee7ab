package dev.cairn.checkpoint;

import dev.cairn.checkpoint.background.EarlyWarmUp;
import dev.cairn.checkpoint.background.Throttle;
import dev.cairn.checkpoint.capture.Capture.Timing;
import dev.cairn.checkpoint.capture.Captures;
import dev.cairn.checkpoint.capture.CopyThreads;
import dev.cairn.checkpoint.capture.PendingCapture;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.checkpoint.copy.RunIdentity;
import dev.cairn.checkpoint.copy.SecondTier;
import dev.cairn.checkpoint.copy.Wholeness;
import dev.cairn.checkpoint.encode.StateEncoder;
import dev.cairn.checkpoint.encode.StateEncoder.Precision;
import dev.cairn.checkpoint.house.Housekeeping;
import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.checkpoint.save.Announcer;
import dev.cairn.checkpoint.save.BestSoFar;
import dev.cairn.checkpoint.save.Room;
import dev.cairn.checkpoint.save.RunPlace;
import dev.cairn.checkpoint.save.SaveFollowers;
import dev.cairn.checkpoint.save.SaveTiming;
import dev.cairn.checkpoint.save.Saver;
import dev.cairn.checkpoint.save.WaitBudget;
import dev.cairn.store.Attributes;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreLockedException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.PassedOver;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// Keeps one training run alive.
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
/// The training thread waits only while the state is copied, and where the loop calls [#beforeUpdate] that
/// happens beside its next forward and backward pass; encoding, writing and committing happen on a thread of
/// their own. Saves never overlap: one that falls due during another waits for it as long as
/// [SavePolicy#patience] says, then is skipped, and says so. All such waiting together takes at most two
/// seconds and a twentieth of the training's time: beyond that, saves are skipped at once. Who wants each of
/// them, whatever it takes, calls [#awaitSave] before [#afterStep].
///
/// A failed save is an event and does not stop the training. What cannot be saved at all, such as a step that
/// comes before the one that was saved last or two tensors of one name, is refused by an exception before
/// anything is written. All methods are for the training thread.
public final class Checkpoints implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");
    private static final String OWN_ATTRIBUTES = "cairn.";

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final WriterRight right;
    private final CheckpointOptions options;
    private final Throttle throttle;
    private final Captures captures;
    private final Lineage lineage = new Lineage();
    private final StateEncoder encoder;
    private final Doubts doubts;
    private final Announcer events;
    private final Housekeeping housekeeping;
    private final Room room;
    private final Saver saver;
    private final SaveTiming timing;
    private final RunPlace place;
    private final WaitBudget waiting;
    private final Optional<SecondTier> copy;
    private final BestSoFar best;
    private final EarlyWarmUp warmUp;

    /// What was opened for this run, and is closed with it.
    private Optional<BlobStore> storage = Optional.empty();

    private RunIdentity identity;
    private Optional<Origin> origin = Optional.empty();
    private PassedOver passedOver = PassedOver.NONE;
    private Duration stall = Duration.ZERO;
    private int skipped;
    private boolean closed;

    private Checkpoints(BlobStore blobs, WriterRight right, CheckpointOptions options, CopyThreads copying)
            throws IOException {
        this.throttle = Throttle.of(options);
        this.store = new CheckpointStore(throttle.around(blobs));
        this.writer = CheckpointWriter.open(store, right);
        this.right = right;
        this.options = options;
        this.captures = new Captures(options, copying);
        this.encoder = new StateEncoder(
                options.encoding().codec(),
                options.encoding().longestChain(),
                options.resources().saveThreads(),
                lineage);
        this.timing = new SaveTiming(options);
        this.best = new BestSoFar(options);
        this.events = new Announcer(options.listeners());
        this.doubts = new Doubts(lineage, writer);
        this.housekeeping = new Housekeeping(store, writer, options, lineage, doubts, events);
        this.room = new Room(store, options, housekeeping);
        this.copy = options.copying()
                .map(CheckpointOptions.Copying::store)
                .map(there -> new SecondTier(store, there, throttle.around(there), options, doubts, events));
        var followers = new SaveFollowers(timing, best, saved -> copy.ifPresent(tier -> tier.saved(saved)));
        this.saver = new Saver(store, writer, doubts, followers, room, encoder, housekeeping, options, events);
        this.place = new RunPlace(store, !writer.isFirst());
        this.waiting = new WaitBudget(options.environment().time().nanos());
        this.warmUp = new EarlyWarmUp(options.encoding().codec());
        this.identity = RunIdentity.of(store.history()).orElseGet(RunIdentity::random);
    }

    /// Opens the run in this folder for training, creating it where it is absent, and becomes its one
    /// writer: by a lock of the operating system, or, where other machines may share the folder, by a lease
    /// that may have to be waited for, as [CheckpointOptions#claim] says.
    ///
    /// @throws StoreLockedException where another live process is
    public static Checkpoints open(Path run, CheckpointOptions options) throws IOException {
        return open(run, options, CopyThreads.upTo(options.resources().saveThreads()));
    }

    /// The same with threads of the caller's, which are closed with the run.
    static Checkpoints open(Path run, CheckpointOptions options, CopyThreads copying) throws IOException {
        var blobs = new LocalBlobStore(run, options.environment().claim().clock());
        requireAnotherPlace(options, copy -> copy instanceof LocalBlobStore local && local.isSamePlaceAs(blobs));
        blobs.createFolder();
        return open(blobs, WriterRight.take(run, options.environment().claim()), options, copying);
    }

    /// The same wherever the run is: in a folder, or in storage that is found by the location's scheme. Storage needs
    /// its module on the class path, such as `cairn-s3` for `s3://bucket/prefix`.
    ///
    /// @throws IllegalArgumentException where no storage for the scheme is there, or no run can be at the location
    public static Checkpoints open(RunLocation run, CheckpointOptions options) throws IOException {
        return open(run, StorageSettings.none(), options);
    }

    /// The same with settings of the storage, such as the endpoint of a server.
    public static Checkpoints open(RunLocation run, StorageSettings settings, CheckpointOptions options)
            throws IOException {
        return switch (run) {
            case RunLocation.Folder(Path folder) -> open(folder, options);
            case RunLocation.Remote remote -> {
                BlobStore blobs = remote.blobs(settings);
                try {
                    Checkpoints opened = open(blobs, options);
                    opened.storage = Optional.of(blobs);
                    yield opened;
                } catch (IOException | RuntimeException e) {
                    closeStorage(blobs);
                    throw e;
                }
            }
        };
    }

    /// The same in any storage, whose one writer it becomes by a lease. The caller closes the storage.
    public static Checkpoints open(BlobStore store, CheckpointOptions options) throws IOException {
        return open(store, WriterRight.take(store, options.environment().claim()), options);
    }

    /// The same with a right that the caller has.
    ///
    /// @param right to write there; closed with the result, or where this throws
    public static Checkpoints open(BlobStore store, WriterRight right, CheckpointOptions options) throws IOException {
        return open(store, right, options, CopyThreads.upTo(options.resources().saveThreads()));
    }

    private static Checkpoints open(BlobStore store, WriterRight right, CheckpointOptions options, CopyThreads copying)
            throws IOException {
        try {
            requireAnotherPlace(options, store::equals);
            return new Checkpoints(store, right, options, copying);
        } catch (IOException | RuntimeException e) {
            right.close();
            throw e;
        }
    }

    private static void requireAnotherPlace(CheckpointOptions options, Predicate<BlobStore> isTheRun) {
        if (options.copying()
                .map(CheckpointOptions.Copying::store)
                .filter(isTheRun)
                .isPresent()) {
            throw new IllegalArgumentException(
                    "the copy would be in the place of the run itself; give CheckpointOptions.withCopy another one");
        }
    }

    /// Where this run has no checkpoint with all its files, and its copy has one, brings the newest of
    /// those here, so that the run goes on from it.
    ///
    /// @return what was brought here
    public Optional<Checkpoint> fetchCopy() throws IOException {
        requireOpen();
        if (copy.isEmpty()) {
            return Optional.empty();
        }
        return Wholeness.hasAny(store)
                ? Optional.empty()
                : fetch(copy.get(), _ -> true).map(Checkpoint::of);
    }

    private Optional<Commit> fetch(SecondTier from, Predicate<Commit> wanted) throws IOException {
        long start = options.environment().time().nanos();
        Optional<Commit> fetched = from.fetch(writer, wanted);
        if (fetched.isPresent()) {
            identity = RunIdentity.of(store.history()).orElse(identity);
            events.on(new CheckpointEvent.Fetched(Checkpoint.of(fetched.get()), since(start)));
        }
        return fetched;
    }

    /// How far the copy is behind; empty where the run has none.
    public Optional<CopyLag> copyLag() {
        return copy.map(SecondTier::lag);
    }

    /// The newest checkpoint whose record reads: what the run is, before anything is loaded. Empty for a
    /// new run.
    public Optional<Checkpoint> newestRecord() throws IOException {
        requireOpen();
        return new Restorer(store, events).record(new Selector.Latest()).map(Checkpoint::of);
    }

    /// The tensors of the newest checkpoint whose record reads; none for a new run.
    public List<TensorSpec> newestTensors() throws IOException {
        requireOpen();
        return new Restorer(store, events)
                .manifest(new Selector.Latest())
                .map(newest -> newest.tensors().stream().map(TensorRef::spec).toList())
                .orElse(List.of());
    }

    /// Goes on where the run stopped: puts the newest checkpoint that verifies into the live state, as
    /// [#restoreLatest(TrainingState)] does.
    ///
    /// @return the step to go on from; 0 for a new run
    public long resume(TrainingState state) throws IOException {
        return restoreLatest(state).map(Checkpoint::step).orElse(0L);
    }

    /// Puts the newest checkpoint that verifies into the live state; tells the listener which were passed over.
    /// Empty where the run has none yet; [NothingToRestoreException] where it has some and none verifies;
    /// [StateMismatchException] where its tensors are not those of the live state.
    public Optional<Checkpoint> restoreLatest(TrainingState state) throws IOException {
        return restoreLatest(state, Matching.WHOLE);
    }

    /// As [#restoreLatest(TrainingState)], into a state that may differ from the checkpoint as the matching
    /// says.
    public Optional<Checkpoint> restoreLatest(TrainingState state, Matching matching) throws IOException {
        Optional<Checkpoint> restored = restore(restorer -> restoreOrFetch(restorer, state, matching));
        if (restored.isEmpty()) {
            place.atBeginning();
        }
        warmUp.expect(state); // after the restore, whose loops come first
        return restored;
    }

    /// Goes back, in a run that went wrong: puts an earlier checkpoint into the live state, on which the
    /// next save builds. Later checkpoints stay what they are, and remain newer until that save. Empty
    /// where there is none.
    ///
    /// @param step up to which checkpoints are good
    /// @param back which of those: 1 for the newest, 2 for the one before it; the oldest where there are fewer
    public Optional<Checkpoint> rollBack(long step, int back, TrainingState state) throws IOException {
        return restore(restorer -> restorer.restore(new Selector.UpTo(step, back), state, Matching.WHOLE));
    }

    /// The step of the newest checkpoint up to this one.
    public OptionalLong newestStepUpTo(long step) throws IOException {
        requireOpen();
        Optional<Commit> found = new Restorer(store, _ -> {}).record(new Selector.UpTo(step, 1));
        return found.isPresent() ? OptionalLong.of(found.get().step()) : OptionalLong.empty();
    }

    /// Which checkpoint, and from where.
    private interface Source {
        Optional<Commit> restore(Restorer restorer) throws IOException;
    }

    private Optional<Checkpoint> restore(Source source) throws IOException {
        requireOpen();
        awaitCapture();
        awaitSave();
        long start = options.environment().time().nanos();
        var inPart = new AtomicBoolean();
        var restorer = new Restorer(store, event -> {
            if (event instanceof CheckpointEvent.RestoredInPart) {
                inPart.set(true);
            }
            events.on(event);
        });
        Optional<Commit> restored = source.restore(restorer);
        if (restored.isPresent()) {
            passedOver = passedOver
                    .and(PassedOver.of(restored.get().attributes()).ids())
                    .and(restorer.passedOver());
            passedOver = passedOver.equals(PassedOver.NONE) ? passedOver : passedOver.within(store.history());
        }
        List<Commit> checkpoints = best.isAsked() ? store.history().currentCheckpoints() : List.of();
        restored.ifPresent(checkpoint -> {
            encoder.restored(checkpoint);
            saver.startAt(checkpoint.step(), !inPart.get());
            place.at(checkpoint.step());
            origin = Origin.of(checkpoint.attributes());
            timing.restored(checkpoint);
            best.startWith(checkpoints);
            copy.ifPresent(tier -> tier.saved(checkpoint));
            events.on(new CheckpointEvent.Restored(Checkpoint.of(checkpoint), restorer.hasDropped(), since(start)));
        });
        return restored.map(Checkpoint::of);
    }

    /// What is damaged in the run and whole in its copy comes from there.
    private Optional<Commit> restoreOrFetch(Restorer restorer, TrainingState state, Matching matching)
            throws IOException {
        try {
            Optional<Commit> found = restorer.restore(new Selector.Latest(), state, matching);
            if (copy.isEmpty() || found.isEmpty() || !fetchPassedOver(copy.get(), restorer, found.get())) {
                return found;
            }
        } catch (NothingToRestoreException e) {
            if (copy.isEmpty() || fetch(copy.get(), _ -> true).isEmpty()) {
                throw e;
            }
        }
        return restorer.restore(new Selector.Latest(), state, matching);
    }

    /// Whether the copy had what the restorer passed over for this one. A copy that fails holds nothing up: the run
    /// goes on from what it has, and keeps what was passed over.
    private boolean fetchPassedOver(SecondTier from, Restorer restorer, Commit found) {
        if (!restorer.hasPassedOver()) {
            return false;
        }
        try {
            return fetch(from, checkpoint -> restorer.mayHavePassedOver(checkpoint, found))
                    .isPresent();
        } catch (IOException e) {
            events.on(new CheckpointEvent.CopyFailed(e, from.lag()));
            return false;
        }
    }

    /// Begins this run, which has no checkpoint yet, at a checkpoint of another: puts it into the live
    /// state. The other run is only read. The first checkpoint of this run is a base, and all of them tell
    /// their [Origin].
    ///
    /// @throws NoSuchCheckpointException where the other run has none such
    /// @throws IllegalStateException where this run has checkpoints
    public Checkpoint restoreFrom(ForkPoint point, TrainingState state, Matching matching) throws IOException {
        requireOpen();
        awaitSave();
        if (count() > 0) {
            throw new IllegalStateException("a fork needs a run without checkpoints: checkpoints=" + count());
        }
        long start = options.environment().time().nanos();
        var restorer = new Restorer(point.run(), events);
        Checkpoint checkpoint = point.restore(restorer, state, matching);
        encoder.forget(); // nothing of this run to build on: the next checkpoint is a base
        saver.startAt(-1, false);
        place.atBeginning();
        origin = Optional.of(Origin.of(point.name(), checkpoint));
        events.on(new CheckpointEvent.Forked(point.name(), checkpoint, restorer.hasDropped(), since(start)));
        return checkpoint;
    }

    /// Begins the run anew at step 0. Its checkpoints so far stay on disk, but are no longer part of it.
    /// Refused where a later Cairn has written into the run.
    public void startFresh() throws IOException {
        requireOpen();
        for (Entry entry : store.currentEntries()) {
            if (entry instanceof Entry.Unreadable(long _, NewerFormatException newer)) {
                throw newer;
            }
        }
        awaitSave();
        writer.commitFreshStart(options.environment().time().now());
        best.startWith(List.of());
        encoder.forget();
        saver.startAt(-1, false);
        place.atBeginning();
        origin = Optional.empty();
        passedOver = PassedOver.NONE;
    }

    /// Throws where the state would not fit into the store, even after what nobody wants of the run is removed.
    public void checkRoom(TrainingState state) throws IOException {
        requireOpen();
        long bytes = state.tensors().stream()
                .mapToLong(tensor -> tensor.spec().sizeBytes())
                .sum();
        if (lastSavedStep().isPresent()) {
            room.make(bytes, false);
        }
        writer.checkRoom(bytes);
    }

    /// Tells that the optimizer is about to change the state; returns when no capture reads it any more.
    /// Costs next to nothing where none does.
    ///
    /// A loop that calls this before every update gets overlapped captures: [#afterStep] returns at once,
    /// and the state is captured beside the next forward and backward pass. That needs no promise but the
    /// habit: only where the update before [#afterStep] was announced is the next one expected to be, else
    /// the capture is over when [#afterStep] returns. To be called also before the memory of the tensors is
    /// freed, or changed by anyone else.
    public void beforeUpdate() {
        requireOpen();
        captures.announceUpdate();
        awaitCapture();
    }

    /// Saves if the policy says so, or where what was saved before is in doubt. Returns as soon as the
    /// state is captured, or at once where updates are announced by [#beforeUpdate]: then weights and the
    /// optimizer's state must not change before the next such call. Attributes, random generators, cursors
    /// and buffers, which a forward pass may change, are always taken before this returns.
    ///
    /// @throws CommitConflictException where another writer has taken over the run: this one must stop
    public void afterStep(long step, TrainingState state) throws IOException {
        Timing when = stepEnded(step, state);
        if (isDue(step)) {
            saveDue(step, state, when);
        }
    }

    /// As [#afterStep], after a step whose metrics, which are attributes of the state, were just measured.
    /// Where retention keeps the best ([BestN][dev.cairn.store.retention.RetentionPolicy.BestN]) and this
    /// step would be among them, it is saved whatever the policy says, unless the training would then wait
    /// for saves for more than their share of its time: the automatic policy's budget, or where that has
    /// none 5 %, and a second at least.
    ///
    /// @throws CommitConflictException where another writer has taken over the run: this one must stop
    public void afterScore(long step, TrainingState state) throws IOException {
        Timing when = stepEnded(step, state);
        if (isDue(step)) {
            saveDue(step, state, when);
        } else if (timing.hasTimeForOneMore() && best.wants(step, state.attributes())) {
            saveBest(step, state, when);
        }
    }

    private Timing stepEnded(long step, TrainingState state) throws IOException {
        requireNext(step);
        awaitCapture();
        writer.failIfOvertaken();
        warmUp.expect(state);
        return captures.nextTiming();
    }

    private boolean isDue(long step) throws IOException {
        boolean busy = saver.isSaving(Duration.ZERO);
        boolean due = timing.isDue(step, busy);
        return due || (!busy && lineage.isInDoubt());
    }

    private void saveDue(long step, TrainingState state, Timing when) throws IOException {
        if (isStillSaving(options.policy().patience())) {
            skipped++;
            events.on(new CheckpointEvent.SaveSkipped(step, saver.stepInFlight(), skipped));
            return;
        }
        awaitSave();
        beginSave(step, state, Precision.USUAL, when, Cancellation.never());
    }

    private void saveBest(long step, TrainingState state, Timing when) throws IOException {
        Duration patience = best.patience(statistics());
        if (patience.isNegative() || isStillSaving(patience)) {
            best.missed(step).ifPresent(events::on);
            return;
        }
        awaitSave();
        beginSave(step, state, Precision.USUAL, when, Cancellation.never());
    }

    /// Whether the save before goes on, after as much patience as there is for it.
    private boolean isStillSaving(Duration patience) throws IOException {
        long start = options.environment().time().nanos();
        // A save that is slow because it has to be is not waited for.
        boolean limited = options.resources().writeLimit().isPresent();
        boolean saving = saver.isSaving(waiting.least(limited ? Duration.ZERO : patience, start));
        Duration waited = since(start);
        waiting.spend(waited);
        stall = stall.plus(waited);
        return saving;
    }

    /// Saves this step now, bit for bit whatever the codec, and waits until it is committed or has failed.
    ///
    /// @return how it ended; a save that fails does not throw
    public SaveOutcome saveNow(long step, TrainingState state) throws IOException {
        requireNext(step);
        throttle.lift();
        try {
            awaitSave();
            beginSave(step, state, Precision.EXACT, Timing.BLOCKING, Cancellation.never());
            long start = options.environment().time().nanos();
            SaveOutcome outcome = saver.await().orElseThrow();
            stall = stall.plus(since(start));
            return outcome;
        } finally {
            throttle.restore();
        }
    }

    /// Makes sure that this step is saved bit for bit, unless it is cancelled first: then no record of it
    /// is written and the run's last checkpoint stays what it was. A save under way goes first, but gets no
    /// more than half of the time that is left; then it is given up for this one. Returns within seconds of
    /// the cancellation, even where the storage hangs; after that nothing more can be saved, only closed.
    ///
    /// @return how it ended
    public SaveOutcome saveNow(long step, TrainingState state, Cancellation cancellation) throws IOException {
        requireNext(step);
        long start = options.environment().time().nanos();
        throttle.lift();
        try {
            saver.await(cancellation, () -> since(start).compareTo(cancellation.timeLeft()) >= 0);
            if (isSaved(step)) {
                return new SaveOutcome.AlreadySaved(step);
            }
            if (cancellation.isCancelled()) {
                return new SaveOutcome.Aborted(step);
            }
            beginSave(step, state, Precision.EXACT, Timing.BLOCKING, cancellation);
            return saver.await(cancellation, () -> false).orElseThrow();
        } finally {
            throttle.restore();
            stall = stall.plus(since(start));
        }
    }

    /// The step of the last checkpoint that was saved, or restored; empty where there is none.
    public OptionalLong lastSavedStep() {
        return saver.lastSavedStep() < 0 ? OptionalLong.empty() : OptionalLong.of(saver.lastSavedStep());
    }

    /// Whether this step is saved exactly: by the last save, or by the checkpoint that was restored.
    public boolean isSaved(long step) throws IOException {
        awaitSave();
        return saver.isSavedExactly(step);
    }

    /// Waits until the save under way, if there is one, is committed or has failed.
    public void awaitSave() throws IOException {
        requireOpen();
        saver.await();
    }

    /// Waits until the save under way and what follows it, such as a merge, are done.
    public void awaitHousekeeping() throws IOException {
        awaitSave();
        housekeeping.await();
    }

    /// To be called once nothing more will be saved: merges and removes until hardly more stays than retention
    /// wants, with what those need. Waits for that, a second or two at most for each merge; larger chains stay
    /// as they are.
    ///
    /// @param stop asked now and then; where it says so, what is under way is given up, and nothing is lost
    public void tidy(BooleanSupplier stop) throws IOException {
        requireOpen();
        awaitSave();
        if (!stop.getAsBoolean()) {
            throttle.lift();
            housekeeping.tidy(stop);
        }
    }

    /// How many checkpoints the run has now.
    public int count() throws IOException {
        requireOpen();
        return store.history().current().size();
    }

    /// What saving has come to so far.
    public SaveStatistics statistics() {
        return saver.statistics(skipped, stall);
    }

    /// Waits for a save under way and gives up the run. After a save that was cancelled and hangs in the
    /// storage, the run is given up when that ends, and nobody waits for it. Closing once more does nothing; of
    /// the other methods, only those that tell how it went may be called then.
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        warmUp.close();
        throttle.lift();
        if (saver.isAbandoned()) {
            closed = true;
            saver.closeAfter(this::releaseQuietly);
            return;
        }
        try {
            awaitCapture();
            awaitSave();
        } finally {
            closed = true;
            saver.close();
            release();
        }
    }

    private void release() throws IOException {
        try {
            housekeeping.close();
            options.copying()
                    .ifPresent(to -> copy.ifPresent(tier ->
                            tier.close(to.patience(), options.environment().timeLeft())));
            captures.close();
            encoder.close();
        } finally {
            try {
                right.close();
            } finally {
                storage.ifPresent(Checkpoints::closeStorage);
            }
        }
    }

    private static void closeStorage(BlobStore storage) {
        if (storage instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "storage not closed", e);
            }
        }
    }

    private void releaseQuietly() {
        try {
            release();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "run not released", e);
        }
    }

    private void beginSave(
            long step, TrainingState state, Precision precision, Timing when, Cancellation cancellation) {
        saver.checkUsable();
        long start = options.environment().time().nanos();
        List<LiveTensor> live = state.tensors();
        LiveTensor.requireUniqueNames(live);
        Attributes attributes = state.attributes()
                .without(OWN_ATTRIBUTES)
                .with(identity.asAttributes())
                .with(origin.map(Origin::asAttributes).orElse(Attributes.empty()))
                .with(passedOver.asAttributes())
                .with(timing.asAttributes(precision == Precision.EXACT))
                .with(CheckpointOptions.KEEP, options.retention().text());
        place.at(step);
        timing.begun(start);
        PendingCapture begun = captures.begin(live, when);
        Duration waited = since(start);
        begun.waited(waited);
        stall = stall.plus(waited);
        saver.submit(step, attributes, begun, precision, cancellation);
        if (when == Timing.BLOCKING) {
            awaitCapture();
        }
    }

    /// Throws where this step must not be saved: nothing has been written then.
    private void requireNext(long step) throws IOException {
        requireOpen();
        place.check(step);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the run is closed: open it again with Checkpoints.open, and restore");
        }
    }

    /// Waits until nobody reads the live tensors any more.
    private void awaitCapture() {
        stall = stall.plus(captures.await());
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(options.environment().time().nanos() - startNanos);
    }
}
