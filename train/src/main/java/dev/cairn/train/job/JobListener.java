package dev.cairn.train.job;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/// Told what a job does before and after its training, on the job's thread. What happens in the training itself is
/// told to its observers.
public interface JobListener {
    /// For jobs that nobody listens to.
    JobListener NONE = new JobListener() {};

    /// The run is open.
    ///
    /// @param lag how far the copy is behind, at any time from now on; empty if there is no copy
    default void opened(Supplier<Optional<CopyLag>> lag) {}

    /// It is known where the training begins and with which settings.
    ///
    /// @param settings the settings, and warnings for people
    /// @param newest the run's newest checkpoint; empty if it has none, or if the job starts fresh
    default void begins(Start start, TrainingSettings.Resolved settings, Optional<Checkpoint> newest)
            throws IOException {}

    /// The training is over, and the job waits a while for the copy.
    default void awaitsCopy(CopyLag lag) {}
}
