package dev.cairn.checkpoint;

import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// A checkpoint of another run, from which a new run may start. The other run is only read, even if it has a
/// writer.
///
/// @param run the other run
/// @param name the name of the other run, for people
/// @param selector the checkpoint of the other run
public record ForkPoint(CheckpointStore run, String name, Selector selector) {
    /// Returns a checkpoint of the run in this folder. The name of the folder is the name of the run.
    public static ForkPoint of(Path run, Selector selector) {
        return new ForkPoint(
                new CheckpointStore(new LocalBlobStore(run)), new RunLocation.Folder(run).name(), selector);
    }

    /// Returns the checkpoint as the log of the other run describes it. Its segments are not read.
    ///
    /// @throws NoSuchCheckpointException if the other run does not have this checkpoint
    public Checkpoint record() throws IOException {
        return Checkpoint.of(found(new Restorer(run, _ -> {}).record(selector)));
    }

    /// Throws if [Checkpoints#restoreFrom] would refuse this state. Segments are not read.
    ///
    /// @throws NoSuchCheckpointException if the other run does not have this checkpoint
    /// @throws StateMismatchException if its tensors do not match the state
    public void check(TrainingState state, Matching matching) throws IOException {
        Restorer.difference(found(new Restorer(run, _ -> {}).manifest(selector)), state, matching);
    }

    /// Restores the first selected checkpoint that verifies into the live state, and does nothing else. To start
    /// a run with it, see [Checkpoints#restoreFrom].
    ///
    /// @param listener is told which checkpoints are passed over
    /// @throws NoSuchCheckpointException if the other run does not have this checkpoint
    /// @throws NothingToRestoreException if checkpoints are selected and none of them verifies
    public Checkpoint restore(TrainingState state, Matching matching, CheckpointEvent.Listener listener)
            throws IOException {
        return restore(new Restorer(run, listener), state, matching);
    }

    /// As [#restore(TrainingState, Matching, CheckpointEvent.Listener)], into a state that is made for the checkpoint.
    public Checkpoint restore(StateMaker maker, Matching matching, CheckpointEvent.Listener listener)
            throws IOException {
        try {
            return Checkpoint.of(found(new Restorer(run, listener).restore(selector, maker, matching)));
        } catch (NothingToRestoreException e) {
            throw e.inFork(name, selector);
        }
    }

    /// @param restorer a restorer of the other run
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
