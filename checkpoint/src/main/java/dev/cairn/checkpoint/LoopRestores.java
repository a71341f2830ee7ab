package dev.cairn.checkpoint;

import dev.cairn.checkpoint.copy.RunIdentity;
import dev.cairn.checkpoint.copy.SecondTier;
import dev.cairn.checkpoint.copy.Wholeness;
import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.store.Attributes;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.PassedOver;
import dev.cairn.store.spare.RunCopy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/// Puts a training at a checkpoint of its run, of the run's copy or of another run, or at a fresh start, and
/// tells the parts of the run where the next save starts from. Every later checkpoint records this in its
/// [#attributes]. For the training thread, while no save is running.
final class LoopRestores {
    private final RunParts run;
    private RunIdentity identity;
    private Optional<Origin> origin = Optional.empty();
    private PassedOver passedOver = PassedOver.NONE;

    LoopRestores(RunParts run) {
        this.run = run;
        this.identity = run.identity;
    }

    /// The identity of the run, its origin, and the checkpoints that were passed over.
    Attributes attributes() {
        return identity.asAttributes()
                .with(origin.map(Origin::asAttributes).orElse(Attributes.empty()))
                .with(passedOver.asAttributes());
    }

    /// As [Checkpoints#restoreLatest(TrainingState, Matching)].
    Optional<Checkpoint> latest(TrainingState state, Matching matching) throws IOException {
        Optional<Checkpoint> restored = restore(restorer -> restoreOrFetch(restorer, state, matching));
        if (restored.isEmpty()) {
            run.place.atBeginning();
        }
        run.warmUp.expect(state); // After the restore, because its loops are needed first.
        return restored;
    }

    /// As [Checkpoints#restoreLatest(StateMaker)].
    Optional<Checkpoint> latest(StateMaker maker) throws IOException {
        Optional<Checkpoint> restored =
                restore(restorer -> restorer.restore(new Selector.Latest(), maker, Matching.WHOLE));
        if (restored.isEmpty()) {
            run.place.atBeginning();
        }
        return restored;
    }

    /// As [Checkpoints#continueUnrestored].
    Optional<Checkpoint> unrestored() throws IOException {
        Optional<Commit> newest = new Restorer(run.store, _ -> {}).record(new Selector.Latest());
        startWithBase();
        newest.ifPresent(checkpoint -> {
            run.saver.startAt(checkpoint.step(), false);
            run.place.at(checkpoint.step());
            origin = Origin.of(checkpoint.attributes());
            run.timing.restored(checkpoint);
        });
        return newest.map(Checkpoint::of);
    }

    /// As [Checkpoints#rollBack].
    Optional<Checkpoint> rollBack(long step, int back, TrainingState state) throws IOException {
        return restore(restorer -> restorer.restore(new Selector.UpTo(step, back), state, Matching.WHOLE));
    }

    /// Restores a checkpoint from some place with the given restorer.
    private interface Source {
        Optional<Commit> restore(Restorer restorer) throws IOException;
    }

    private Optional<Checkpoint> restore(Source source) throws IOException {
        long start = run.nanos();
        var inPart = new AtomicBoolean();
        var restorer = new Restorer(run.store, event -> {
            if (event instanceof CheckpointEvent.RestoredInPart) {
                inPart.set(true);
            } else if (event instanceof CheckpointEvent.Healed healed) {
                run.scrubber.ifPresent(
                        scrubber -> scrubber.suspect(healed.damage().file()));
            }
            run.events.on(event);
        });
        Optional<Commit> restored = source.restore(restorer);
        if (restored.isPresent()) {
            passedOver = passedOver
                    .and(PassedOver.of(restored.get().attributes()).ids())
                    .and(restorer.passedOver());
            passedOver = passedOver.equals(PassedOver.NONE) ? passedOver : passedOver.within(run.store.history());
        }
        List<Commit> checkpoints = run.best.isAsked() ? run.store.history().currentCheckpoints() : List.of();
        restored.ifPresent(checkpoint -> {
            run.encoder.restored(checkpoint);
            run.saver.startAt(checkpoint.step(), !inPart.get());
            run.place.at(checkpoint.step());
            origin = Origin.of(checkpoint.attributes());
            run.timing.restored(checkpoint);
            run.best.startWith(checkpoints);
            run.copy.ifPresent(tier -> tier.saved(checkpoint));
            run.events.on(
                    new CheckpointEvent.Restored(Checkpoint.of(checkpoint), restorer.hasDropped(), run.since(start)));
        });
        return restored.map(Checkpoint::of);
    }

    /// Restores the latest checkpoint. Damaged bytes are read from the copy, if it has them. A checkpoint that cannot
    /// be
    /// restored even so, but is whole in the copy, is fetched first.
    private Optional<Commit> restoreOrFetch(Restorer restorer, TrainingState state, Matching matching)
            throws IOException {
        try {
            Optional<Commit> found = restorer.restore(new Selector.Latest(), state, matching);
            if (run.copy.isEmpty() || found.isEmpty() || !fetchPassedOver(run.copy.get(), restorer, found.get())) {
                return found;
            }
        } catch (NothingToRestoreException e) {
            if (run.copy.isEmpty() || !fetchAny(run.copy.get(), e)) {
                throw e;
            }
        }
        return restorer.restore(new Selector.Latest(), state, matching);
    }

    /// Whether the copy had a checkpoint that the restorer passed over before it found this one. If the copy
    /// fails, the run continues from the checkpoint that it has, and keeps those that were passed over.
    private boolean fetchPassedOver(SecondTier from, Restorer restorer, Commit found) {
        if (!restorer.hasPassedOver() || copyOutage().isPresent()) {
            return false;
        }
        try {
            return fetch(from, checkpoint -> restorer.mayHavePassedOver(checkpoint, found))
                    .isPresent();
        } catch (CommitConflictException ofAnotherRun) {
            return false; // The copy itself tells it once it is due.
        } catch (IOException e) {
            run.events.on(new CheckpointEvent.CopyFailed(e, from.lag()));
            return false;
        }
    }

    /// Whether the copy had a checkpoint. Of its own, the run has none that can be restored.
    private boolean fetchAny(SecondTier from, NothingToRestoreException nothing) throws IOException {
        Optional<IOException> outage = copyOutage();
        if (outage.isPresent()) {
            throw outage.get();
        }
        try {
            return fetch(from, _ -> true).isPresent();
        } catch (CommitConflictException ofAnotherRun) {
            nothing.addSuppressed(ofAnotherRun);
            return false;
        }
    }

    /// Why the copy could not be read when bytes of it were needed; empty if it could. A copy that does not answer is
    /// waited for only once.
    private Optional<IOException> copyOutage() {
        return run.spares.flatMap(RunCopy::outage);
    }

    /// As [Checkpoints#fetchCopy].
    Optional<Checkpoint> fetchCopy() throws IOException {
        if (run.copy.isEmpty()) {
            return Optional.empty();
        }
        return Wholeness.hasAny(run.store)
                ? Optional.empty()
                : fetch(run.copy.get(), _ -> true).map(Checkpoint::of);
    }

    private Optional<Commit> fetch(SecondTier from, Predicate<Commit> wanted) throws IOException {
        long start = run.nanos();
        Optional<Commit> fetched = from.fetch(run.writer, wanted);
        if (fetched.isPresent()) {
            identity = RunIdentity.of(run.store.history()).orElse(identity);
            run.events.on(new CheckpointEvent.Fetched(Checkpoint.of(fetched.get()), run.since(start)));
        }
        return fetched;
    }

    /// As [Checkpoints#restoreFrom].
    Checkpoint fork(ForkPoint point, TrainingState state, Matching matching) throws IOException {
        int checkpoints = run.store.history().current().size();
        if (checkpoints > 0) {
            throw new IllegalStateException("a fork needs a run without checkpoints: checkpoints=" + checkpoints);
        }
        long start = run.nanos();
        var restorer = new Restorer(point.run(), run.events);
        Checkpoint checkpoint = point.restore(restorer, state, matching);
        startWithBase();
        origin = Optional.of(Origin.of(point.name(), checkpoint));
        run.events.on(new CheckpointEvent.Forked(point.name(), checkpoint, restorer.hasDropped(), run.since(start)));
        return checkpoint;
    }

    /// As [Checkpoints#startFresh].
    void startFresh() throws IOException {
        for (Entry entry : run.store.currentEntries()) {
            if (entry instanceof Entry.Unreadable(long _, NewerFormatException newer)) {
                throw newer;
            }
        }
        run.saver.await();
        run.writer.commitFreshStart(run.options.environment().time().now());
        run.best.startWith(List.of());
        startWithBase();
        origin = Optional.empty();
        passedOver = PassedOver.NONE;
    }

    /// The run has nothing to build on, so its next checkpoint is a base.
    private void startWithBase() {
        run.encoder.forget();
        run.saver.startAt(-1, false);
        run.place.atBeginning();
    }
}
