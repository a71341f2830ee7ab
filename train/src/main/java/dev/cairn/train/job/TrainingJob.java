package dev.cairn.train.job;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.Observers;
import dev.cairn.store.Attributes;
import dev.cairn.train.Goals;
import dev.cairn.train.Trainer;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.steps.Meeting;
import dev.cairn.train.team.Team;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

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
        return new JobRun(plan, data, observers, notices, listener, Trainer::train).run();
    }

    /// Trains as [#run] does, as the leader of a team of processes.
    public JobResult lead(DataSource data, Observers observers, Notices notices, JobListener listener, Team team)
            throws IOException, JobRefusedException, RefusedException {
        JobRun.Way leading = (trainer, checkpoints, start) -> trainer.lead(checkpoints, start, team);
        return new JobRun(plan, data, observers, notices, listener, leading).run();
    }

    /// Trains as [#run] does, with a parameter server in this process. Other processes compute the gradients.
    public JobResult serve(DataSource data, Observers observers, Notices notices, JobListener listener, Meeting meeting)
            throws IOException, JobRefusedException, RefusedException {
        JobRun.Way serving = (trainer, checkpoints, start) -> trainer.serve(checkpoints, start, meeting);
        return new JobRun(plan, data, observers, notices, listener, serving).run();
    }

    /// Trains as [#serve] does, with workers that save for themselves.
    ///
    /// @param folder the folder of the job, below which the run is
    public JobResult serveAtOwnPace(
            DataSource data, Observers observers, Notices notices, JobListener listener, Meeting meeting, Path folder)
            throws IOException, JobRefusedException, RefusedException {
        JobRun.Way serving =
                (trainer, checkpoints, start) -> trainer.serveAtOwnPace(checkpoints, start, meeting, folder);
        return new JobRun(plan, data, observers, notices, listener, serving).run();
    }

    /// Computes gradients for a training whose server is in another process. Returns when that has ended. Nothing
    /// of the run is read or written.
    ///
    /// @param served the settings with which the server trains
    public static void work(Attributes served, DataSource data, Notices notices, Meeting meeting)
            throws IOException, RefusedException {
        worker(served, data, notices).work(meeting);
    }

    /// Computes gradients as [#work] does, and saves for itself in a run below the folder of the job.
    ///
    /// @param options how the worker saves
    public static void workAtOwnPace(
            Attributes served,
            DataSource data,
            Notices notices,
            Meeting meeting,
            Path folder,
            CheckpointOptions options)
            throws IOException, RefusedException {
        worker(served, data, notices).workAtOwnPace(meeting, folder, options);
    }

    private static Trainer worker(Attributes served, DataSource data, Notices notices)
            throws IOException, RefusedException {
        TrainingRequest request = TrainingRequest.of(served.text("workload").orElseThrow())
                .with("workers", served.integer("workers").orElseThrow())
                .with("mode", served.text("mode").orElseThrow())
                .with("aggregate", served.integer("aggregate").orElseThrow());
        TrainingSettings settings =
                TrainingSettings.resolve(request, Optional.of(served)).settings();
        return new Trainer(settings, data.load(settings.data()), Goals.NONE, _ -> {}, notices);
    }

    /// Trains with a team that another process leads. Returns when that has ended. Nothing of the run is read or
    /// written.
    ///
    /// @param led the settings with which the leader trains
    public static void follow(Attributes led, Goals goals, DataSource data, Notices notices, Team team)
            throws IOException, RefusedException {
        TrainingRequest request = TrainingRequest.of(led.text("workload").orElseThrow())
                .with("workers", led.integer("workers").orElseThrow());
        TrainingSettings settings =
                TrainingSettings.resolve(request, Optional.of(led)).settings();
        new Trainer(settings, data.load(settings.data()), goals, _ -> {}, notices).follow(team);
    }
}
