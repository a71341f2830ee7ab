package dev.cairn.train.job;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.train.Goals;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.io.IOException;
import java.util.Optional;

/// What a job shall do.
///
/// @param request the settings that were asked for; the run, or a default, decides the others
/// @param run where the run is, or will be
/// @param beginning where the training begins
/// @param saving how the job saves
public record JobPlan(TrainingRequest request, Goals goals, Place run, Beginning beginning, Saving saving) {
    /// The settings of a run whose newest checkpoint this is.
    TrainingSettings.Resolved settings(Optional<Checkpoint> newest) throws RefusedException {
        return TrainingSettings.resolve(request, newest.map(Checkpoint::attributes));
    }

    /// The settings of a fork. Refuses a checkpoint of another workload, whose tensors do not fit, unless the fork
    /// wants only those that do.
    TrainingSettings.Resolved settings(Start.Fork fork) throws IOException, RefusedException, JobRefusedException {
        Checkpoint origin = fork.point().record();
        Optional<String> trained = origin.attributes().text("workload");
        if (trained.isPresent() && !trained.get().equals(request.workload()) && fork.matching() != Matching.PARTIAL) {
            throw new JobRefusedException(new Refusal.OtherWorkload(trained.get(), request.workload()));
        }
        return TrainingSettings.resolveFork(request, origin.attributes());
    }
}
