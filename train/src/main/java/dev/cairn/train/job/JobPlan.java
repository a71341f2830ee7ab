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

/// The plan of a job.
///
/// @param request the requested settings; the run or a default decides the others
/// @param run the location of the run, which may not exist yet
/// @param beginning where the training starts
/// @param saving how the job saves
public record JobPlan(TrainingRequest request, Goals goals, Place run, Beginning beginning, Saving saving) {
    /// Returns the settings of a run with this newest checkpoint.
    TrainingSettings.Resolved settings(Optional<Checkpoint> newest) throws RefusedException {
        return TrainingSettings.resolve(request, newest.map(Checkpoint::attributes));
    }

    /// Returns the settings of a fork. Refuses a checkpoint of another workload, because its tensors do not fit,
    /// unless a partial restore was requested.
    TrainingSettings.Resolved settings(Start.Fork fork) throws IOException, RefusedException, JobRefusedException {
        Checkpoint origin = fork.point().record();
        Optional<String> trained = origin.attributes().text("workload");
        if (trained.isPresent() && !trained.get().equals(request.workload()) && fork.matching() != Matching.PARTIAL) {
            throw new JobRefusedException(new Refusal.OtherWorkload(trained.get(), request.workload()));
        }
        return TrainingSettings.resolveFork(request, origin.attributes());
    }
}
