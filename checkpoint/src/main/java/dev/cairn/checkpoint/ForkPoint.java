package dev.cairn.checkpoint;

import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// A checkpoint of another run, where a new one may begin. The other run is only read, whether a writer has it
/// or not.
///
/// @param name of the other run, for people
public record ForkPoint(CheckpointStore run, String name, Selector selector) {
    /// A checkpoint of the run in this folder, whose name it takes.
    public static ForkPoint of(Path run, Selector selector) {
        return new ForkPoint(
                new CheckpointStore(new LocalBlobStore(run)), new RunLocation.Folder(run).name(), selector);
    }

    /// What the other run says of the checkpoint, without a look at its segments.
    ///
    /// @throws NoSuchCheckpointException where it has none such
    public Checkpoint record() throws IOException {
        return Checkpoint.of(found(new Restorer(run, _ -> {}).record(selector)));
    }

    /// Throws where [Checkpoints#restoreFrom] would refuse this state; reads no segments.
    ///
    /// @throws NoSuchCheckpointException where the other run has no such checkpoint
    /// @throws StateMismatchException where its tensors are not those of the state
    public void check(TrainingState state, Matching matching) throws IOException {
        Restorer.difference(found(new Restorer(run, _ -> {}).manifest(selector)), state, matching);
    }

    /// Puts the first checkpoint that is meant and verifies into the live state, and nothing else: to begin
    /// a run with it, see [Checkpoints#restoreFrom].
    ///
    /// @param listener hears of those that are passed over
    /// @throws NoSuchCheckpointException where the run has none such
    /// @throws NothingToRestoreException where it has some and none verifies
    public Checkpoint restore(TrainingState state, Matching matching, CheckpointEvent.Listener listener)
            throws IOException {
        return restore(new Restorer(run, listener), state, matching);
    }

    /// @param restorer of the other run
    Checkpoint restore(Restorer restorer, TrainingState state, Matching matching) throws IOException {
        try {
            return Checkpoint.of(found(restorer.restore(selector, state, matching)));
        } catch (NothingToRestoreException e) {
            throw e.inFork(name, selector);
        }
    }

    private <T> T found(Optional<T> meant) throws IOException {
        if (meant.isEmpty()) {
            throw new NoSuchCheckpointException(name, selector, run.currentEntries());
        }
        return meant.get();
    }
}
