package dev.cairn.train.job;

import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.Observers;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.io.IOException;

/// A whole training of one run, including its copy. Every instance has been checked.
///
/// ```java
/// JobResult result = TrainingJob.checked(plan).run(data, observers, notices, JobListener.NONE);
/// ```
public final class TrainingJob {
    private final JobPlan plan;

    private TrainingJob(JobPlan plan) {
        this.plan = plan;
    }

    /// Checks everything that can be checked without the data. Creates nothing.
    ///
    /// @throws JobRefusedException if the job cannot be done as planned
    /// @throws RefusedException if the settings make no sense
    /// @throws CopyUnavailableException if the run has nothing yet, and its copy cannot be read
    public static TrainingJob checked(JobPlan plan) throws IOException, JobRefusedException, RefusedException {
        new JobChecks(plan).all();
        return new TrainingJob(plan);
    }

    /// Trains. The data of a new run is loaded before anything is created, so unusable data leaves nothing
    /// behind.
    ///
    /// @param data loads the data, once
    /// @param observers receive the events of the training and of its checkpoints
    /// @param notices may end the training early
    /// @throws JobRefusedException if the job cannot be done as planned
    /// @throws RefusedException if the run has other settings
    /// @throws CopyUnavailableException if the run has nothing yet, and its copy cannot be read
    public JobResult run(DataSource data, Observers observers, Notices notices, JobListener listener)
            throws IOException, JobRefusedException, RefusedException {
        return new JobRun(plan, data, observers, notices, listener).run();
    }
}
