package dev.cairn.app.train;

import dev.cairn.app.console.Choices;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Failures;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.notice.NoticeOptions;
import dev.cairn.app.notice.StopRequest;
import dev.cairn.app.run.ForeignFiles;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.run.WritingOptions;
import dev.cairn.app.team.TeamFigures;
import dev.cairn.app.text.Json;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.cluster.agent.Agent;
import dev.cairn.cluster.hosts.JobHosts;
import dev.cairn.cluster.launch.HostPlace;
import dev.cairn.cluster.member.MemberLink;
import dev.cairn.cluster.member.MemberLink.Identity;
import dev.cairn.cluster.member.ProcessMeeting;
import dev.cairn.engine.server.ServerPart;
import dev.cairn.observe.Recorder;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import dev.cairn.store.UnknownNameException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.train.Goals;
import dev.cairn.train.Trainer;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.job.JobListener;
import dev.cairn.train.job.JobPlan;
import dev.cairn.train.job.JobRefusedException;
import dev.cairn.train.job.JobResult;
import dev.cairn.train.job.Place;
import dev.cairn.train.job.Saving;
import dev.cairn.train.job.TrainingJob;
import dev.cairn.train.uncoordinated.JobRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
            "has recorded them. --every, --keep, --codec, --write-limit, --scrub and the",
            "notice options apply to this start only.",
            "",
            "On a notice, the training finishes its step, saves exactly and exits with 75.",
            "Start the same command again to continue. Notices are Ctrl-C, SIGTERM, SIGHUP,",
            "SIGUSR1 and those of the options above. A second signal, touching the file",
            "again, or the end of the time cancels that save; the last checkpoint stays. A",
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

    @Mixin
    private WorkerOptions team;

    @Mixin
    private HostOptions hosts;

    @Mixin
    private ObservingOptions observing;

    @Option(names = "--trace-steps", hidden = true, description = "Print each step's number, for a watching process.")
    private boolean traceSteps;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    TrainCommand() {}

    @Override
    public Integer call() throws IOException, RefusedException {
        try {
            return train();
        } catch (JobRefusedException e) {
            var text = new RefusalText(run.toString(), saving.copyName(), starting.fromText());
            throw new ParameterException(spec.commandLine(), text.of(e.refusal()), e);
        }
    }

    private int train() throws IOException, RefusedException, JobRefusedException {
        hosts.settle(spec, team, System.getenv());
        Optional<Identity> member = Identity.in(System.getenv());
        if (member.isPresent()) { // its supervisor has checked
            String engine = team.engine(model.engine());
            return MemberTraining.run(
                    this, member.get(), engine, spec.commandLine().getErr());
        }
        Optional<String> shown = hosts.tfConfig(spec, team.isServed());
        if (shown.isPresent()) {
            spec.commandLine().getOut().println(shown.get());
            spec.commandLine().getOut().flush();
            return ExitCode.DONE;
        }
        check();
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        if (hosts.place().isPresent() && hosts.place().get().index() > 0) {
            return help(hosts.place().get(), terminal);
        }
        JobHosts several = hosts.hosts(spec, HostOptions.asked(workload, arguments()));
        TrainingJob job = TrainingJob.checked(plan(terminal, false, ""));
        if (team.isSeveral()) {
            return supervise(terminal, several);
        }
        long startNanos = Clock.system().nanos();
        try (var stop = new StopRequest(terminal, Runtime.getRuntime()::halt);
                Notices notices = watch(stop, terminal);
                var observers = observers(terminal, false, stop)) {
            stop.beforeExit(observers::done);
            JobResult ended =
                    job.run(name -> load(name, terminal), observers.all(), notices, report(observers, terminal));
            double remaining = ended.training().stopped() ? observers.remainingSeconds() : 0;
            observers.done();
            Duration wall = Duration.ofNanos(Clock.system().nanos() - startNanos);
            print(spec.commandLine().getOut(), ended, wall, remaining);
            return ending(terminal).tell(ended, notices, stop);
        }
    }

    /// Starts the processes of another host's training that have their place on this host.
    private int help(HostPlace place, Terminal terminal) throws IOException {
        var agent = new Agent.Plan(
                place.index(),
                Supervision.hostName(),
                hosts.supervisor(spec),
                hosts.secret(spec),
                HostOptions.asked(workload, arguments()),
                hosts.patience(),
                noticeOptions.usualTime());
        return HostAgent.run(agent, noticeOptions, arguments(), terminal);
    }

    private List<String> arguments() {
        return spec.commandLine().getParseResult().originalArgs();
    }

    private int supervise(Terminal terminal, JobHosts several) throws IOException {
        var supervision = new Supervision(
                team,
                noticeOptions,
                run,
                terminal,
                spec.commandLine().getOut(),
                common.json,
                new TeamFigures(processes ->
                        observing.figures(Runs.blobs(spec, run, storage), TeamFigures.PROCESS, processes, terminal)),
                several);
        return supervision.run(arguments());
    }

    /// Refuses settings that no run can have.
    private void check() throws IOException {
        dataOptions.check(spec);
        try {
            model.checkEngine();
        } catch (UnknownNameException e) {
            throw new ParameterException(spec.commandLine(), Failures.describe(e), e);
        }
        model.check(spec.commandLine());
        team.check(spec, workload, model.engine(), goals().rollback());
        if (hosts.place().isPresent()) {
            team.checkHosts(spec);
        }
        observing.check(spec);
        String problem = noticeOptions.problem(Clock.system());
        if (problem != null) {
            throw new ParameterException(spec.commandLine(), problem);
        }
        ForeignFiles.refuse(spec, ownRun());
        if (team.isUncoordinated()) {
            checkFolder();
        }
    }

    private void checkFolder() throws IOException {
        if (!(run instanceof RunLocation.Folder(Path folder))) {
            throw new ParameterException(spec.commandLine(), "--coordination none needs a folder for --run");
        }
        if (Runs.hasRecords(new LocalBlobStore(folder))) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s is a run whose processes saved together; leave --coordination out, or choose another --run"
                            .formatted(run));
        }
    }

    /// The run that this process saves in: if each has its own, that of the server.
    private RunLocation ownRun() {
        return team.isUncoordinated() && run instanceof RunLocation.Folder(Path folder)
                ? new RunLocation.Folder(folder.resolve(JobRecords.SERVER))
                : run;
    }

    /// The folder of the job, if each process saves for itself.
    Optional<Path> uncoordinated() {
        return team.isUncoordinated() && run instanceof RunLocation.Folder(Path folder)
                ? Optional.of(folder)
                : Optional.empty();
    }

    /// How a process saves for itself. Nothing is removed: what belongs together may be far back.
    CheckpointOptions ownSaving(Terminal terminal) {
        return plan(terminal, true, "")
                .saving()
                .options()
                .withRetention(Retention.parse("all"))
                .withoutLog();
    }

    /// Whether a parameter server has the state.
    boolean isServed() {
        return team.isServed();
    }

    /// The number of parameter servers.
    int servers() {
        return team.servers();
    }

    /// Starts a parameter server in this process that has a part of the weights.
    ServerPart part() {
        return Trainer.part(team.engine(model.engine()), model.threads(), team.workers());
    }

    ProcessMeeting meeting(MemberLink link) {
        return new ProcessMeeting(link, team.servers(), team.fresh());
    }

    Goals goals() {
        return goalOptions.goals(spec.commandLine(), workload);
    }

    /// @param begun whether another process of this training has begun it before
    /// @param job the name of the job; empty if all of it is on this host
    JobPlan plan(Terminal terminal, boolean begun, String job) {
        StorageSettings settings = storage.settings(spec);
        RunLocation own = ownRun();
        WriterClaim claim = writing.claim(spec, own, terminal);
        Saving saves = saving.saving(
                spec,
                settings,
                job.isEmpty()
                        ? claim
                        : claim.withLocking(WriterClaim.Locking.LEASE).withJob(job));
        return new JobPlan(
                team.addTo(model.request(workload, dataOptions.data)),
                goals(),
                new Place(own, settings),
                begun ? starting.goingOn() : starting.beginning(spec, storage),
                team.isUncoordinated()
                        ? new Saving(saves.options().withRetention(Retention.parse("all")), saves.copy())
                        : saves);
    }

    Dataset load(String name, Terminal terminal) throws IOException {
        return dataOptions.load(spec, name, terminal);
    }

    /// @param begun whether another process of this training has begun it before
    /// @param first receive every event first
    TrainObservers observers(Terminal terminal, boolean begun, TrainingObserver... first) {
        var others = new ArrayList<TrainingObserver>(List.of(first));
        if (traceSteps) {
            others.add(new StepTrace(spec.commandLine().getOut()));
        }
        BlobStore blobs = Runs.blobs(spec, ownRun(), storage);
        var recorders = new ArrayList<Recorder>();
        observing.curves(run, blobs, TrainObservers.PROCESS, terminal).ifPresent(recorders::add);
        observing.metrics(run, terminal).ifPresent(recorders::add);
        if (!team.isSeveral()) { // otherwise their supervisor watches them all
            long pid = ProcessHandle.current().pid();
            observing
                    .figures(blobs, TrainObservers.PROCESS, () -> Map.of(TrainObservers.PROCESS, pid), terminal)
                    .ifPresent(recorders::add);
        }
        return new TrainObservers(terminal, blobs, begun, saving.every(), others, recorders);
    }

    JobListener report(TrainObservers observers, Terminal terminal) {
        return new JobReport(spec, saving, observers.progress(), terminal);
    }

    private Notices watch(StopRequest stop, Terminal terminal) {
        Notices notices = noticeOptions.watch(
                stop::grace, Clock.system(), warning -> terminal.line("cairn: warning: " + warning));
        stop.follow(notices);
        return notices;
    }

    /// Notices that only another process gives.
    Notices noNotices() {
        return Notices.watch(List.of(), List.of(), noticeOptions.usualTime(), Clock.system());
    }

    TrainEnding ending(Terminal terminal) {
        return new TrainEnding(run.toString(), saving.copyName(), terminal);
    }

    void print(PrintWriter out, JobResult ended, Duration wall, double remaining) throws IOException {
        TrainSummary summary = TrainSummary.of(run, ended, saving.copyName());
        if (common.json) {
            Json.print(out, summary.json(wall, remaining));
        } else {
            summary.print(out, wall);
        }
    }
}
