package dev.cairn.train.job;

import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.Observers;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.io.IOException;

/// A training in its run, from the first look at the run to the last at its copy. A job that exists was checked.
///
/// ```java
/// JobResult result = TrainingJob.checked(plan).run(data, observers, notices, JobListener.NONE);
/// ```
public final class TrainingJob {
    private final JobPlan plan;

    private TrainingJob(JobPlan plan) {
        this.plan = plan;
    }

    /// Checks what can be checked without data, and makes nothing.
    ///
    /// @throws JobRefusedException if the job cannot be done as planned
    /// @throws RefusedException if the settings make no sense
    /// @throws CopyUnavailableException if the run has nothing yet, and its copy cannot be read
    public static TrainingJob checked(JobPlan plan) throws IOException, JobRefusedException, RefusedException {
        new JobChecks(plan).all();
        return new TrainingJob(plan);
    }

    /// Trains. The data of a new run is loaded before anything is made, so data that cannot be used leaves nothing
    /// behind.
    ///
    /// @param data loads the data, once
    /// @param observers told what happens in the training and to its checkpoints
    /// @param notices end the training early
    /// @throws JobRefusedException if the job cannot be done as planned
    /// @throws RefusedException if the run has other settings
    /// @throws CopyUnavailableException if the run has nothing yet, and its copy cannot be read
    public JobResult run(DataSource data, Observers observers, Notices notices, JobListener listener)
            throws IOException, JobRefusedException, RefusedException {
        return new JobRun(plan, data, observers, notices, listener).run();
    }
}
