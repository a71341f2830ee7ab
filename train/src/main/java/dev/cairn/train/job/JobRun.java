package dev.cairn.train.job;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.Observers;
import dev.cairn.store.Clock;
import dev.cairn.train.Trainer;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingResult;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.Dataset;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/// One execution of a checked job.
///
/// @param way whether it trains on its own or with others
record JobRun(JobPlan plan, DataSource data, Observers observers, Notices notices, JobListener listener, Way way) {
    /// How a process trains.
    interface Way {
        TrainingResult train(Trainer trainer, Checkpoints checkpoints, Start start) throws IOException;
    }

    JobResult run() throws IOException, JobRefusedException, RefusedException {
        Optional<Dataset> early = earlyData();
        CheckpointOptions options = plan.saving()
                .options()
                .withTimeLeft(notices::timeLeft)
                .withListener(observers.listener(Clock.system()));
        if (plan.saving().copy().isEmpty()) {
            return train(options, early);
        }
        Place copy = plan.saving().copy().get();
        try (OpenStorage opened = copy.open()) {
            copy.create();
            return train(options.withCopy(opened.blobs()), early);
        }
    }

    /// Loads the data of a new run before anything is created. So nothing is left behind if the data cannot be
    /// read, does not suit the workload, or the model differs from the forked checkpoint. Returns empty if there
    /// is a copy, because the run in the copy determines the data.
    private Optional<Dataset> earlyData() throws IOException, JobRefusedException, RefusedException {
        boolean known = plan.request().asked().containsKey("data")
                || plan.beginning() instanceof Beginning.Fork
                || plan.saving().copy().isEmpty();
        if (!known || plan.run().hasBegun()) {
            return Optional.empty();
        }
        Start start = start(Optional.empty());
        TrainingSettings settings = settings(start, Optional.empty()).settings();
        Dataset loaded = data.load(settings.data());
        Trainer trainer = trainer(settings, loaded);
        if (start instanceof Start.Fork fork) {
            trainer.check(fork);
        }
        return Optional.of(loaded);
    }

    private JobResult train(CheckpointOptions options, Optional<Dataset> early)
            throws IOException, JobRefusedException, RefusedException {
        Supplier<Optional<CopyLag>> lag;
        TrainingSettings settings;
        TrainingResult result;
        SaveStatistics saves;
        Place run = plan.run();
        try (Checkpoints checkpoints = Checkpoints.open(run.location(), run.storage(), options)) {
            lag = checkpoints::copyLag;
            listener.opened(lag);
            Optional<Checkpoint> newest = newest(checkpoints);
            Start start = start(newest);
            TrainingSettings.Resolved resolved = settings(start, newest);
            listener.begins(start, resolved, newest);
            settings = resolved.settings();
            String wanted = settings.data();
            Optional<Dataset> loaded = early.filter(found -> found.name().equals(wanted));
            Trainer trainer = trainer(settings, loaded.isPresent() ? loaded.get() : data.load(wanted));
            settings = trainer.settings();
            result = way.train(trainer, checkpoints, start);
            saves = checkpoints.statistics();
            lag.get().filter(behind -> !behind.isNone()).ifPresent(listener::awaitsCopy);
        }
        return new JobResult(settings, result, saves, run.history(), lag.get());
    }

    /// Returns the checkpoint from which the run continues. Fetches it from the copy if the run has lost it.
    /// Empty for a fresh start.
    private Optional<Checkpoint> newest(Checkpoints checkpoints) throws IOException, JobRefusedException {
        if (plan.beginning() instanceof Beginning.Fresh) {
            return Optional.empty();
        }
        CopyUnavailableException.asking(checkpoints::fetchCopy);
        return checkpoints.newestRecord();
    }

    private Start start(Optional<Checkpoint> newest) throws IOException, JobRefusedException {
        return switch (plan.beginning()) {
            case Beginning.Fresh _ -> new Start.Fresh();
            case Beginning.Resume(Beginning.Fit fit) -> new Start.Resume(fit.of(newest));
            case Beginning.Fork fork -> {
                if (newest.isEmpty()) {
                    yield fork.start();
                }
                fork.checkOrigin(Refusal.Holder.RUN, newest.get());
                yield new Start.Resume(fork.fit().of(newest));
            }
        };
    }

    private TrainingSettings.Resolved settings(Start start, Optional<Checkpoint> newest)
            throws IOException, JobRefusedException, RefusedException {
        return start instanceof Start.Fork fork ? plan.settings(fork) : plan.settings(newest);
    }

    private Trainer trainer(TrainingSettings settings, Dataset loaded) throws JobRefusedException {
        try {
            return new Trainer(settings, loaded, plan.goals(), observers, notices);
        } catch (IllegalArgumentException e) {
            throw new JobRefusedException(new Refusal.Invalid(e), e);
        }
    }
}
