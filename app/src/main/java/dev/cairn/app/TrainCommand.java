package dev.cairn.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.transfer.Import;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.checkpoint.Timekeeper;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.LocalBlobStore;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.retention.Retention;
import dev.cairn.train.Trainer;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingResult;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
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
                "Trains a workload in a run folder, saving as it goes. The same command after any failure goes on "
                        + "where it stopped and, unless --codec is lossy, ends in the same bits.",
        sortOptions = false,
        footer = {
            "",
            "Where there is a run, options that decide its numbers may be left out: it has",
            "them. --every, --keep, --codec, --write-limit and notices are for this start.",
            "",
            "On notice the training ends its step, saves exactly and exits with 75; start",
            "the same command again to go on. Notices are Ctrl-C, SIGTERM, SIGHUP, SIGUSR1",
            "and those of the options above. A second signal, the file touched again, or",
            "the end of the time gives that save up, and the last checkpoint stays; a",
            "third signal ends at once. Before the first step there is nothing to save.",
            "",
            "Examples:",
            "  cairn train lenet --run runs/first --steps 2000 --every 30s",
            "  cairn train lenet --run runs/second --from runs/first@best --rate 0.005"
        })
final class TrainCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "WORKLOAD", description = "What to train: lenet (LeNet-5).")
    private String workload;

    @Option(
            names = "--run",
            required = true,
            paramLabel = "DIR",
            description = "The run's folder, made if absent, or s3://bucket/prefix.")
    private Path run;

    @Mixin
    private StorageOptions storage;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Train up to this step (default: " + TrainingSettings.DEFAULT_STEPS + ").")
    private @Nullable Long steps;

    @Option(
            names = "--every",
            paramLabel = "auto|N|30s",
            defaultValue = "auto",
            converter = Every.class,
            description = {
                "auto   as often as loses the least time, by what saves cost this run and how often it fails;",
                "       'cairn show --policy' tells what it chose and why",
                "N      every N steps",
                "30s    every so often; also 5m, 1h",
                "Default: ${DEFAULT-VALUE}"
            })
    private SavePolicy every;

    @Option(
            names = "--budget",
            paramLabel = "SHARE",
            description = "What saves may take of the run's time, for --every auto: 0.02 is 2 %% (default: no limit).")
    private @Nullable Double budget;

    @Option(
            names = "--keep",
            paramLabel = "POLICY,...",
            defaultValue = "latest:5,every:1h,best:1",
            converter = Keep.class,
            description = {
                "Which checkpoints stay: all that any of these wants, and always the newest good one.",
                "latest:N         the newest N",
                "every:N          one every N steps",
                "every:1h         one every hour",
                "best:N           the best N by test accuracy (by",
                "                 loss until there is one)",
                "best:N@METRIC    by another metric",
                "newer:2d         not older than that",
                "atleast:N        more, up to N in all",
                "all              every one",
                "Default: ${DEFAULT-VALUE}"
            })
    private Retention keep;

    @Option(names = "--batch", paramLabel = "N", description = "Examples a step (default: 64).")
    private @Nullable Integer batch;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides weights, data order and all chance (default: 1).")
    private @Nullable Long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads of the engine (default: this machine's cores). The same number gives the same bits.")
    private @Nullable Integer threads;

    @Option(names = "--optimizer", paramLabel = "NAME", description = "sgd, momentum or adam (default: momentum).")
    private @Nullable String optimizer;

    @Option(names = "--rate", paramLabel = "X", description = "Learning rate (default: one that suits the optimizer).")
    private @Nullable Double rate;

    @Option(names = "--data", paramLabel = "NAME", description = "digits, made by Cairn itself (default: digits).")
    private @Nullable String data;

    @Option(names = "--engine", paramLabel = "NAME", description = "torch (default: torch).")
    private @Nullable String engine;

    @Option(
            names = "--codec",
            paramLabel = "NAME",
            defaultValue = "lossless",
            converter = CodecName.class,
            description = {
                "How to store, lossless unless told otherwise:",
                "lossless     bit for bit",
                "full         as in memory",
                "lossy        small deltas: uq:" + Codec.DEFAULT_TARGET,
                "uq:E         error E relative to the change since",
                "             the last checkpoint",
                "rel:E        error E relative to the weights",
                "lc:X         LC-Checkpoint with X bits",
                "lc:auto:E    LC-Checkpoint with the bits that",
                "             error E takes, relative to the change",
                "The last save is exact whatever the codec. Yardsticks for studies, not recommended: scar:F, topn:F "
                        + "(fraction F of the state), l2:X (X bits), excp."
            })
    private Codec codec;

    @Option(
            names = "--write-limit",
            paramLabel = "50M",
            converter = ByteCount.class,
            description = "Write no more bytes a second than this beside the training: 500K, 50M, 1G (default: no "
                    + "limit). A last save that is waited for is not held up.")
    private @Nullable Long writeLimit;

    @Option(
            names = "--copy-to",
            paramLabel = "PLACE",
            description =
                    "Copy the checkpoints beside the training, the newest first, to s3://bucket/prefix or another "
                            + "folder. Where the run's own folder is lost, the same command goes on from there.")
    private @Nullable Path copyTo;

    @Mixin
    private NoticeOptions noticeOptions;

    @Mixin
    private WritingOptions writing;

    @Option(
            names = "--fresh",
            description = "Start over at step 0, also where no checkpoint verifies. Old checkpoints stay on disk.")
    private boolean fresh;

    @Option(
            names = "--from",
            paramLabel = "RUN[@STEP|@best]",
            description = "Begin a new run at a checkpoint of another: its newest, that of a step, or the best by test "
                    + "accuracy (by loss where there is none). Options that are given are the new run's own, all others "
                    + "are taken from the other run, which is only read. The same command goes on with the new run.")
    private @Nullable String from;

    @Option(
            names = "--partial",
            description = "Restore the tensors that fit and say which do not, where model and checkpoint differ.")
    private boolean partial;

    @Option(names = "--trace-steps", hidden = true, description = "Print each step's number, for a watching process.")
    private boolean traceSteps;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    TrainCommand() {}

    @Override
    public Integer call() throws IOException, RefusedException {
        checkName("workload", workload, "lenet");
        checkName("data set", data, "digits");
        checkName("engine", engine, "torch");
        if (run.toString().isBlank()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "--run is empty; give the run's folder");
        }
        checkCopy();
        ForkOption fork = checkFork();
        String problem = noticeOptions.problem(Timekeeper.system());
        if (problem != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), problem);
        }
        TrainingSettings.resolve(request(), Optional.empty()); // so that nonsense is refused before anything is made
        long startNanos = System.nanoTime();
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        var report = new TrainReport(
                terminal,
                RunFolder.isRemote(run) ? null : run,
                traceSteps ? spec.commandLine().getOut() : null);
        try (var stop = new StopRequest(terminal, report, Runtime.getRuntime()::halt);
                Notices notices = watch(stop, terminal)) {
            Ended ended = train(fork, stop, notices, terminal, report);
            TrainingResult result = ended.result();
            double remaining = result.stopped() ? report.remainingSeconds() : 0;
            report.done();
            print(ended, Duration.ofNanos(System.nanoTime() - startNanos), remaining);
            if (!result.saved() && notices.isCancelled()) {
                terminal.line(stop.withoutSave(notices));
                return ExitCode.STOPPED;
            }
            if (ended.saves().lastFailed()) {
                terminal.line("cairn: the last save failed; the run's newest checkpoint is older than step "
                        + result.step() + "; see above, then start the same command again");
                return ExitCode.FAILED;
            }
            if (!result.stopped()) {
                return ExitCode.DONE;
            }
            terminal.line("cairn: stopped on %s at step %d and saved; the same command goes on"
                    .formatted(notices.first().map(Notice::reason).orElse("notice"), result.step()));
            return ExitCode.STOPPED;
        } finally {
            report.done();
        }
    }

    /// How a training ended.
    ///
    /// @param checkpoints how many the run has now that nobody writes any more
    /// @param lag how far the copy is behind, where there is one
    private record Ended(
            TrainingSettings settings,
            TrainingResult result,
            SaveStatistics saves,
            int checkpoints,
            Optional<CopyLag> lag) {}

    private Ended train(
            @Nullable ForkOption fork, StopRequest stop, Notices notices, Terminal terminal, TrainReport report)
            throws IOException, RefusedException {
        Supplier<Optional<CopyLag>> lag;
        TrainingSettings settings;
        TrainingResult result;
        SaveStatistics saves;
        try (Checkpoints checkpoints = open(options(stop, notices, terminal))) {
            lag = checkpoints::copyLag;
            report.watchCopy(lag);
            fetchCopy(checkpoints);
            Start start = start(checkpoints, fork);
            settings = settings(checkpoints, start, terminal);
            if (start instanceof Start.Resume) {
                TrainingSettings resolved = settings;
                checkpoints
                        .newestRecord()
                        .flatMap(newest -> otherCodec(newest, resolved))
                        .ifPresent(terminal::line);
            }
            result = new Trainer(settings, stop, notices).train(checkpoints, start);
            saves = checkpoints.statistics();
        }
        int checkpoints = new CheckpointStore(RunFolder.blobs(spec, run, storage))
                .currentEntries()
                .size();
        return new Ended(settings, result, saves, checkpoints, lag.get());
    }

    /// A copy that cannot be looked at may have what the run has lost: then nothing begins anew by itself.
    private void fetchCopy(Checkpoints checkpoints) throws IOException {
        if (fresh) {
            return;
        }
        try {
            checkpoints.fetchCopy();
        } catch (StorageUnavailableException e) {
            throw new StorageUnavailableException(
                    e.getMessage() + "; or begin anew, without a look at the copy, by --fresh", e);
        }
    }

    private Checkpoints open(CheckpointOptions options) throws IOException {
        return RunFolder.isRemote(run)
                ? Checkpoints.open(RunFolder.blobs(spec, run, storage), options)
                : Checkpoints.open(run, options);
    }

    /// What to say where the run was saved with another codec so far.
    private Optional<String> otherCodec(Checkpoint newest, TrainingSettings settings) {
        String before = newest.codec();
        if (before.isEmpty() || before.equals(codec.text())) {
            return Optional.empty();
        }
        if (newest.step() < settings.steps()) {
            return Optional.of("cairn: saving as codec=%s from here on; so far the run was saved as codec=%s"
                    .formatted(codec.text(), before));
        }
        return spec.commandLine().getParseResult().hasMatchedOption("--codec")
                ? Optional.of("cairn: --codec %s changes nothing: the run is finished, saved as codec=%s"
                        .formatted(codec.text(), before))
                : Optional.empty();
    }

    private CheckpointOptions options(StopRequest stop, Notices notices, Terminal terminal) throws IOException {
        CheckpointOptions options = CheckpointOptions.defaults()
                .withPolicy(policy())
                .withTimeLeft(notices::timeLeft)
                .withCodec(codec)
                .withRetention(keep)
                .withWriteLimit(writeLimit == null ? CheckpointOptions.NO_WRITE_LIMIT : writeLimit)
                .withListener(stop)
                .withClaim(writing.claim(spec, run, terminal));
        if (copyTo == null) {
            return options;
        }
        if (!RunFolder.isRemote(copyTo)) {
            LocalBlobStore.createFolder(copyTo);
        }
        return options.withCopy(RunFolder.blobs(spec, copyTo, storage));
    }

    private SavePolicy policy() {
        if (budget == null) {
            return every;
        }
        if (!(every instanceof SavePolicy.Automatic automatic)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--budget is for --every auto; give one of them");
        }
        if (!(budget > 0) || budget >= 1) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--budget takes a share between 0 and 1, such as 0.02, not " + budget);
        }
        return new SavePolicy.Automatic(automatic.settings().withBudget(budget));
    }

    /// Refuses to copy a run onto itself.
    private void checkCopy() throws IOException {
        boolean same = copyTo != null
                && (copyTo.toAbsolutePath()
                                .normalize()
                                .equals(run.toAbsolutePath().normalize())
                        || (Files.exists(copyTo) && Files.exists(run) && Files.isSameFile(copyTo, run)));
        if (same) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--run and --copy-to are the same place; choose another for the copy");
        }
    }

    private Notices watch(StopRequest stop, Terminal terminal) {
        Notices notices = noticeOptions.watch(
                stop::grace, Timekeeper.system(), warning -> terminal.line("cairn: warning: " + warning));
        stop.follow(notices);
        return notices;
    }

    /// Refuses what cannot be forked before anything is made. Where the run is there already, the other need not
    /// be.
    private @Nullable ForkOption checkFork() throws IOException, RefusedException {
        if (from == null) {
            return null;
        }
        if (fresh) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--fresh and --from exclude each other; choose another --run for the fork");
        }
        ForkOption fork = ForkOption.parse(spec, from);
        fork.checkApart(spec, run);
        boolean begun = (RunFolder.isRemote(run) || Files.isDirectory(run))
                && !new CheckpointStore(RunFolder.blobs(spec, run, storage))
                        .currentEntries()
                        .isEmpty();
        if (!begun) {
            TrainingSettings.resolveFork(
                    request(), fork.point(spec, storage).record().attributes());
        }
        return fork;
    }

    private Start start(Checkpoints checkpoints, @Nullable ForkOption fork) throws IOException {
        if (fresh) {
            return new Start.Fresh();
        }
        Optional<Checkpoint> newest = checkpoints.newestRecord();
        if (fork == null) {
            return new Start.Resume(matching(newest));
        }
        if (newest.isEmpty()) {
            ForkPoint point = fork.point(spec, storage);
            return new Start.Fork(point, matching(Optional.of(point.record())));
        }
        fork.checkOrigin(spec, run, newest.get().attributes());
        return new Start.Resume(matching(newest));
    }

    /// A checkpoint that was imported may well be weights alone.
    private Matching matching(Optional<Checkpoint> from) {
        boolean imported = from.flatMap(checkpoint -> checkpoint.attributes().text(Import.SOURCE))
                .isPresent();
        return partial ? Matching.PARTIAL : imported ? Matching.WEIGHTS : Matching.WHOLE;
    }

    private TrainingSettings settings(Checkpoints checkpoints, Start start, Terminal terminal)
            throws IOException, RefusedException {
        var resolved = switch (start) {
            case Start.Resume _ ->
                TrainingSettings.resolve(request(), checkpoints.newestRecord().map(Checkpoint::attributes));
            case Start.Fresh _ -> TrainingSettings.resolve(request(), Optional.empty());
            case Start.Fork forked ->
                TrainingSettings.resolveFork(request(), forked.point().record().attributes());
        };
        resolved.warnings().forEach(warning -> terminal.line("cairn: warning: " + warning));
        return resolved.settings();
    }

    private TrainingRequest request() {
        return new TrainingRequest(workload, data, engine, optimizer, rate, batch, seed, threads, steps);
    }

    private void checkName(String what, @Nullable String name, String known) {
        if (name != null && !name.equals(known)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "unknown %s '%s'; known: %s".formatted(what, name, known));
        }
    }

    private void print(Ended ended, Duration wall, double remaining) {
        TrainingSettings settings = ended.settings();
        TrainingResult result = ended.result();
        SaveStatistics saves = ended.saves();
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            Json.print(out, json(ended, wall, remaining));
            return;
        }
        out.printf(
                "%s on %s: step %,d%s, epoch %d%s%n",
                settings.workload(),
                settings.data(),
                result.step(),
                result.step() > settings.steps()
                        ? ", beyond --steps %,d already".formatted(settings.steps())
                        : " of %,d".formatted(settings.steps()),
                result.epoch(),
                result.resumedFromStep() == null ? "" : ", resumed from step %,d".formatted(result.resumedFromStep()));
        if (!Double.isNaN(result.loss()) || result.step() > 0) {
            out.printf("  loss         %s%n", Quantities.decimal(result.loss()));
        }
        if (!Double.isNaN(result.bestAccuracy())) {
            // A state that was restored with an error does not score as it did before it was stored.
            boolean differs = result.bestStep() == result.step() && result.bestAccuracy() != result.accuracy();
            out.printf(
                    "  accuracy     %s on the test split, best %s at step %,d%s%n",
                    Quantities.percent(result.accuracy()),
                    Quantities.percent(result.bestAccuracy()),
                    result.bestStep(),
                    differs ? ", scored before it was stored" : "");
        }
        out.printf(
                "  checkpoints  %d in %s, %d saved by this start; the training waited %s for them, of %s%n",
                ended.checkpoints(),
                RunFolder.name(run),
                saves.committed(),
                Quantities.seconds(Json.seconds(saves.stall())),
                Quantities.seconds(Json.seconds(wall)));
        ended.lag().ifPresent(lag -> out.printf("  copy         %s%n", copy(lag)));
        if (result.weightsSha256() != null) {
            out.printf("  weights      sha256 %s%n", result.weightsSha256());
        }
        out.flush();
    }

    private String copy(CopyLag lag) {
        String place = RunFolder.name(Objects.requireNonNull(copyTo));
        return lag.checkpoints() == 0
                ? "complete in " + place
                : "%s is %,d steps behind; the next start goes on copying".formatted(place, lag.steps());
    }

    private static ObjectNode json(Ended ended, Duration wall, double remaining) {
        TrainingSettings settings = ended.settings();
        TrainingResult result = ended.result();
        SaveStatistics saves = ended.saves();
        ObjectNode json = Json.object()
                .put("step", result.step())
                .put("steps", settings.steps())
                .put("epoch", result.epoch());
        Json.putNumber(json, "loss", result.loss());
        Json.putNumber(json, "accuracy", result.accuracy());
        Json.putNumber(json, "testLoss", result.testLoss());
        Json.putNumber(json, "bestAccuracy", result.bestAccuracy());
        ended.lag().ifPresent(lag -> Json.putLag(json, lag));
        return json.put("bestStep", result.bestStep())
                .put("resumedFromStep", result.resumedFromStep())
                .put("checkpoints", ended.checkpoints())
                .put("savedCheckpoints", saves.committed())
                .put("failedSaves", saves.failed())
                .put("skippedSaves", saves.skipped())
                .put("abortedSaves", saves.aborted())
                .put("remainingSeconds", remaining)
                .put("stallSeconds", Json.seconds(saves.stall()))
                .put("wallSeconds", Json.seconds(wall))
                .put("weightsSha256", result.weightsSha256());
    }
}
