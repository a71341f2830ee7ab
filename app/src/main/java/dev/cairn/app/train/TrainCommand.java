package dev.cairn.app.train;

import dev.cairn.app.console.Choices;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.BestStep;
import dev.cairn.app.run.ForeignFiles;
import dev.cairn.app.run.Keeping;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.run.WritingOptions;
import dev.cairn.app.text.Json;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.History;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.train.Goals;
import dev.cairn.train.Trainer;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingResult;
import dev.cairn.train.TrainingResult.End;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.Dataset;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn train`.
@Command(
        name = "train",
        description =
                "Trains a workload and saves checkpoints in a run folder. After any failure, the same command resumes "
                        + "the run and, unless --codec is lossy, ends in the same bits.",
        sortOptions = false,
        footer = {
            "",
            "For an existing run, options that decide its results may be left out: the run",
            "has recorded them. --every, --keep, --codec, --write-limit and the notice",
            "options apply to this start only.",
            "",
            "On a notice, the training finishes its step, saves exactly and exits with 75.",
            "Start the same command again to continue. Notices are Ctrl-C, SIGTERM, SIGHUP,",
            "SIGUSR1 and those of the options above. A second signal, touching the file",
            "again, or the end of the time gives that save up; the last checkpoint stays. A",
            "third signal ends the process at once. Before the first step there is nothing",
            "to save.",
            "",
            "Examples:",
            "  cairn train lenet --run runs/first --steps 2000 --every 30s",
            "  cairn train lr --data mnist --run runs/lr --until-accuracy 0.92",
            "  cairn train mf --engine tensorflow --data jester --run runs/mf",
            "  cairn train lenet --run runs/second --from runs/first@best --rate 0.005"
        })
public final class TrainCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "WORKLOAD",
            completionCandidates = Choices.Workloads.class,
            description = {
                "What to train:",
                "lr       softmax regression of images",
                "lenet    LeNet-5 for images of 28×28",
                "alexnet  AlexNet for images of 28×28 (30 million weights) or 227×227 (58 million)",
                "mf       matrix factorization of ratings"
            })
    private String workload;

    @Option(
            names = "--run",
            required = true,
            paramLabel = "DIR",
            description =
                    "The run's folder, created if it does not exist, or a place in an object store, s3://bucket/prefix.")
    private RunLocation run;

    @Mixin
    private StorageOptions storage;

    @Mixin
    private DataOptions dataOptions;

    @Mixin
    private ModelOptions model;

    @Mixin
    private GoalOptions goalOptions;

    @Mixin
    private SavingOptions saving;

    @Mixin
    private NoticeOptions noticeOptions;

    @Mixin
    private WritingOptions writing;

    @Mixin
    private StartOptions starting;

    @Option(names = "--trace-steps", hidden = true, description = "Print each step's number, for a watching process.")
    private boolean traceSteps;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    TrainCommand() {}

    @Override
    public Integer call() throws IOException, RefusedException {
        checkNames();
        Goals goals = goalOptions.goals(spec.commandLine(), workload);
        ForeignFiles.refuse(spec, run);
        saving.checkCopy(spec, run);
        ForkOption fork = starting.fork(spec, run);
        if (fork != null && !hasBegun()) {
            settings(starting.at(spec, fork, storage)); // where the run is there already, the other need not be
        }
        String problem = noticeOptions.problem(Clock.system());
        if (problem != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), problem);
        }
        TrainingSettings.resolve(request(), Optional.empty()); // so that nonsense is refused before anything is made
        checkCopy(fork);
        long startNanos = System.nanoTime();
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        try (var stop = new StopRequest(terminal, Runtime.getRuntime()::halt);
                Notices notices = watch(stop, terminal);
                var observers = observers(terminal, stop)) {
            stop.beforeExit(observers::done);
            TrainSummary ended = train(fork, goals, observers, notices, terminal);
            TrainingResult result = ended.result();
            double remaining = result.stopped() ? observers.remainingSeconds() : 0;
            observers.done();
            Duration wall = Duration.ofNanos(System.nanoTime() - startNanos);
            if (common.json) {
                Json.print(spec.commandLine().getOut(), ended.json(wall, remaining));
            } else {
                ended.print(spec.commandLine().getOut(), wall);
            }
            if (!result.saved() && notices.isCancelled()) {
                terminal.line(stop.withoutSave(notices));
                return ExitCode.STOPPED;
            }
            if (ended.saves().lastFailed()) {
                terminal.line("cairn: the last save failed; %s; see above, then start the same command again"
                        .formatted(
                                ended.checkpoints() == 0
                                        ? "the run has no checkpoint"
                                        : "the run's newest checkpoint is older than step " + result.step()));
                return ExitCode.FAILED;
            }
            if (result.end() instanceof End.Diverged diverged) {
                terminal.line(advice(diverged));
                return ExitCode.FAILED;
            }
            Optional<CopyLag> missing = ended.lag().filter(lag -> !lag.isNone());
            missing.ifPresent(lag -> terminal.line(CopyText.incomplete(saving.copyName(), lag)));
            if (!result.stopped()) {
                return missing.isPresent() ? ExitCode.FAILED : ExitCode.DONE;
            }
            terminal.line("cairn: stopped on %s at step %d and saved; the same command goes on"
                    .formatted(notices.first().map(Notice::reason).orElse("notice"), result.step()));
            return ExitCode.STOPPED;
        }
    }

    private TrainObservers observers(Terminal terminal, StopRequest stop) {
        List<TrainingObserver> others =
                traceSteps ? List.of(stop, new StepTrace(spec.commandLine().getOut())) : List.of(stop);
        return new TrainObservers(terminal, Runs.blobs(spec, run, storage), others);
    }

    /// What to do about a training that went wrong.
    private String advice(End.Diverged diverged) {
        String cure = "try a lower --rate, or --clip 1";
        String what = "cairn: stopped at step %d: %s%s"
                .formatted(
                        diverged.step(),
                        diverged.reason(),
                        diverged.rollbacks() == 0 ? "" : ", after going back %d times".formatted(diverged.rollbacks()));
        if (diverged.lastGood() == null) {
            return what + "; no checkpoint from before it is there; " + cure;
        }
        String back = diverged.rollbacks() == 0 ? "--on-divergence rollback:1 goes back to it, or " : "";
        return "%s; the last good checkpoint is of step %d: %sfork it with --run NEW --from %s@%d; %s"
                .formatted(what, diverged.lastGood(), back, run, diverged.lastGood(), cure);
    }

    private TrainSummary train(
            @Nullable ForkOption fork, Goals goals, TrainObservers observers, Notices notices, Terminal terminal)
            throws IOException, RefusedException {
        Supplier<Optional<CopyLag>> lag;
        TrainingSettings settings;
        final TrainingResult result;
        SaveStatistics saves;
        Optional<Dataset> early = earlyData(fork, goals, observers, notices, terminal);
        try (Checkpoints checkpoints = open(options(observers, notices, terminal))) {
            lag = checkpoints::copyLag;
            observers.progress().watchCopy(lag);
            fetchCopy(checkpoints);
            Start start = starting.start(spec, run, checkpoints, fork, storage);
            settings = settings(checkpoints, start, terminal);
            if (start instanceof Start.Resume) {
                TrainingSettings resolved = settings;
                checkpoints
                        .newestRecord()
                        .flatMap(newest -> saving.otherCodec(spec, newest, resolved.steps()))
                        .ifPresent(terminal::line);
            }
            if (start instanceof Start.Fork(ForkPoint point, Matching _)) {
                BestStep.of(point.selector(), point.run(), point.record().step())
                        .note()
                        .ifPresent(terminal::line);
            }
            String wanted = settings.data();
            Optional<Dataset> loaded = early.filter(data -> data.name().equals(wanted));
            Dataset data = loaded.isPresent() ? loaded.get() : dataOptions.load(spec, wanted, terminal);
            Trainer trainer = trainer(settings, data, goals, observers, notices);
            result = trainer.train(checkpoints, start);
            saves = checkpoints.statistics();
            lag.get()
                    .filter(behind -> !behind.isNone())
                    .ifPresent(_ -> terminal.progress(() -> "waiting for the copy, a minute at most"));
        }
        History kept = new CheckpointStore(Runs.blobs(spec, run, storage)).history();
        boolean bestIsKept =
                kept.currentCheckpoints().stream().anyMatch(checkpoint -> checkpoint.step() == result.bestStep());
        return new TrainSummary(
                run.toString(),
                settings,
                result,
                saves,
                kept.current().size(),
                Keeping.of(kept).flatMap(Keeping::note),
                bestIsKept,
                lag.get(),
                saving.copyName());
    }

    /// The data of a run that is still to be made, loaded before anything is: data that cannot be read, or that is
    /// not for this workload, and a model that is not that of a fork's checkpoint, leave nothing behind. Where a
    /// copy may hold the run, only data that was asked for.
    private Optional<Dataset> earlyData(
            @Nullable ForkOption fork, Goals goals, TrainObservers observers, Notices notices, Terminal terminal)
            throws IOException, RefusedException {
        boolean known =
                dataOptions.data != null || fork != null || saving.copyName().isEmpty();
        if (!known || hasBegun()) {
            return Optional.empty();
        }
        Start.@Nullable Fork start = fork == null ? null : starting.at(spec, fork, storage);
        TrainingSettings settings =
                (start == null ? TrainingSettings.resolve(request(), Optional.empty()) : settings(start)).settings();
        Dataset data = dataOptions.load(spec, settings.data(), terminal);
        Trainer trainer = trainer(settings, data, goals, observers, notices);
        if (start != null) {
            trainer.check(start);
        }
        return Optional.of(data);
    }

    private boolean hasBegun() throws IOException {
        return Runs.hasBegun(spec, run, storage);
    }

    private Trainer trainer(
            TrainingSettings settings, Dataset data, Goals goals, TrainObservers observers, Notices notices) {
        try {
            return new Trainer(settings, data, goals, observers.all(), notices);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    /// Refuses the copy of another run before a run that has nothing yet is filled with what it holds.
    private void checkCopy(@Nullable ForkOption fork) throws IOException, RefusedException {
        if (starting.isFresh() || hasBegun()) {
            return;
        }
        Optional<Checkpoint> newest = copyAsked(() -> saving.newestOfCopy(spec, storage));
        if (newest.isEmpty()) {
            return;
        }
        if (fork != null) {
            fork.checkOrigin(
                    spec, "the copy in " + saving.copyName(), newest.get().attributes());
        }
        try {
            TrainingSettings.resolve(request(), newest.map(Checkpoint::attributes));
        } catch (RefusedException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--copy-to %s is the copy of another run: %s; choose another place for the copy"
                            .formatted(
                                    saving.copyName(),
                                    e.difference()
                                            .map(found -> "it has " + found)
                                            .orElseGet(() -> String.valueOf(e.getMessage()))));
        }
    }

    private void fetchCopy(Checkpoints checkpoints) throws IOException {
        if (!starting.isFresh()) {
            copyAsked(checkpoints::fetchCopy);
        }
    }

    /// What is asked of the copy.
    private interface Question {
        Optional<Checkpoint> ask() throws IOException;
    }

    /// A copy that cannot be looked at may have what the run has lost: then nothing begins anew by itself.
    private static Optional<Checkpoint> copyAsked(Question question) throws IOException {
        try {
            return question.ask();
        } catch (StorageUnavailableException e) {
            throw new StorageUnavailableException(
                    e.getMessage() + "; or begin anew, without a look at the copy, by --fresh", e);
        }
    }

    private Checkpoints open(CheckpointOptions options) throws IOException {
        return Checkpoints.open(run, storage.settings(spec), options);
    }

    private CheckpointOptions options(TrainObservers observers, Notices notices, Terminal terminal) throws IOException {
        return saving.options(spec, storage)
                .withTimeLeft(notices::timeLeft)
                .withoutLog()
                .withListener(observers.all().listener(Clock.system()))
                .withClaim(writing.claim(spec, run, terminal));
    }

    private Notices watch(StopRequest stop, Terminal terminal) {
        Notices notices = noticeOptions.watch(
                stop::grace, Clock.system(), warning -> terminal.line("cairn: warning: " + warning));
        stop.follow(notices);
        return notices;
    }

    private TrainingSettings settings(Checkpoints checkpoints, Start start, Terminal terminal)
            throws IOException, RefusedException {
        var resolved = switch (start) {
            case Start.Resume _ ->
                TrainingSettings.resolve(request(), checkpoints.newestRecord().map(Checkpoint::attributes));
            case Start.Fresh _ -> TrainingSettings.resolve(request(), Optional.empty());
            case Start.Fork forked -> settings(forked);
        };
        resolved.warnings().forEach(warning -> terminal.line("cairn: warning: " + warning));
        return resolved.settings();
    }

    private TrainingSettings.Resolved settings(Start.Fork fork) throws IOException, RefusedException {
        ForkOption.checkWorkload(spec, fork, workload);
        return TrainingSettings.resolveFork(request(), fork.point().record().attributes());
    }

    private TrainingRequest request() {
        return model.request(workload, dataOptions.data);
    }

    /// What no run can have, before anything is made.
    private void checkNames() {
        dataOptions.check(spec);
        try {
            model.checkEngine();
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
