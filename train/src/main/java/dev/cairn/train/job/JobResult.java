package dev.cairn.train.job;

import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.store.log.History;
import dev.cairn.train.TrainingResult;
import dev.cairn.train.TrainingSettings;
import java.util.Optional;

/// The result of a job.
///
/// @param saves the statistics of saves
/// @param history the run's log after the job
/// @param lag how far the copy is behind; empty if there is no copy
public record JobResult(
        TrainingSettings settings,
        TrainingResult training,
        SaveStatistics saves,
        History history,
        Optional<CopyLag> lag) {
    /// The number of checkpoints in the run now.
    public int checkpoints() {
        return history.current().size();
    }

    /// Whether the run has a checkpoint of the step with the best score.
    public boolean bestIsKept() {
        return history.currentCheckpoints().stream().anyMatch(each -> each.step() == training.bestStep());
    }
}
