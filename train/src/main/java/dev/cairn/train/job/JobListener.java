package dev.cairn.train.job;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/// Receives what a job does before and after its training, on the job's thread. Observers receive the events of
/// the training itself.
public interface JobListener {
    /// Ignores everything.
    JobListener NONE = new JobListener() {};

    /// The run has been opened.
    ///
    /// @param lag returns how far the copy is behind, at any time from now on; empty if there is no copy
    default void opened(Supplier<Optional<CopyLag>> lag) {}

    /// The start of the training and its settings have been chosen.
    ///
    /// @param settings the settings, with warnings for people
    /// @param newest the run's newest checkpoint; empty if it has none, or if the job starts fresh
    default void begins(Start start, TrainingSettings.Resolved settings, Optional<Checkpoint> newest)
            throws IOException {}

    /// The training has ended, and the job waits some time for the copy.
    default void awaitsCopy(CopyLag lag) {}
}
