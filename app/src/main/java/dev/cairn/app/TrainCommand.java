package dev.cairn.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.store.Attributes;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.train.Trainer;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingResult;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
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
                        + "where it stopped, and ends in the same bits.",
        sortOptions = false,
        footer = {
            "",
            "Options that are left out are taken from the run where there is one. Ctrl-C and SIGTERM save and end with",
            "exit code 75; start the same command again to go on.",
            "",
            "Example: cairn train lenet --run runs/first --steps 2000 --every 30s"
        })
final class TrainCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "WORKLOAD", description = "What to train: lenet (LeNet-5).")
    private String workload;

    @Option(names = "--run", required = true, paramLabel = "DIR", description = "The run's folder; made if absent.")
    private Path run;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Train up to this step (default: " + TrainingSettings.DEFAULT_STEPS + ").")
    private @Nullable Long steps;

    @Option(
            names = "--every",
            paramLabel = "N|30s",
            defaultValue = "100",
            converter = Every.class,
            description = "Save every N steps, or every so often: 30s, 5m, 1h (default: ${DEFAULT-VALUE}).")
    private SavePolicy every;

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
            names = "--fresh",
            description = "Start over at step 0, also where no checkpoint verifies. Old checkpoints stay on disk.")
    private boolean fresh;

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
        long start = System.nanoTime();
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        var report =
                new TrainReport(terminal, run, traceSteps ? spec.commandLine().getOut() : null);
        var options = CheckpointOptions.defaults().withPolicy(every).withListener(report);
        try (var stop = StopRequest.install();
                Checkpoints checkpoints = Checkpoints.open(run, options)) {
            TrainingSettings settings = settings(checkpoints, terminal);
            TrainingResult result = new Trainer(settings, report, stop::wanted).train(checkpoints);
            report.done();
            SaveStatistics saves = checkpoints.statistics();
            Duration wall = Duration.ofNanos(System.nanoTime() - start);
            print(settings, result, checkpoints.count(), saves, wall);
            if (saves.lastFailed()) {
                terminal.line("cairn: the last save failed; the run's newest checkpoint is older than step "
                        + result.step() + ": make room, then start the same command again");
                return ExitCode.FAILED;
            }
            return stop.wanted() && result.stopped() ? stop.finished(ExitCode.STOPPED) : ExitCode.DONE;
        } finally {
            report.done();
        }
    }

    private TrainingSettings settings(Checkpoints checkpoints, Terminal terminal) throws IOException, RefusedException {
        Optional<Attributes> stored = Optional.empty();
        if (fresh) {
            if (checkpoints.count() > 0) {
                checkpoints.startFresh();
            }
        } else {
            stored = checkpoints.newestRecord().map(Checkpoint::attributes);
        }
        var request = new TrainingRequest(workload, data, engine, optimizer, rate, batch, seed, threads, steps);
        var resolved = TrainingSettings.resolve(request, stored);
        resolved.warnings().forEach(warning -> terminal.line("cairn: warning: " + warning));
        return resolved.settings();
    }

    private void checkName(String what, @Nullable String name, String known) {
        if (name != null && !name.equals(known)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "unknown %s '%s'; known: %s".formatted(what, name, known));
        }
    }

    private void print(
            TrainingSettings settings, TrainingResult result, int checkpoints, SaveStatistics saves, Duration wall) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            Json.print(out, json(result, checkpoints, saves, wall));
            return;
        }
        out.printf(
                "%s on %s: step %,d of %,d, epoch %d%s%n",
                settings.workload(),
                settings.data(),
                result.step(),
                settings.steps(),
                result.epoch(),
                result.resumedFromStep() == null ? "" : ", resumed from step %,d".formatted(result.resumedFromStep()));
        out.printf("  loss         %s%n", Quantities.decimal(result.loss()));
        out.printf("  accuracy     %s on the test split%s%n", Quantities.percent(result.accuracy()), best(result));
        out.printf(
                "  checkpoints  %d in %s; the training waited %s for them, of %s%n",
                checkpoints,
                run,
                Quantities.seconds(Json.seconds(saves.stall())),
                Quantities.seconds(Json.seconds(wall)));
        out.printf("  weights      sha256 %s%n", result.weightsSha256());
        out.flush();
    }

    private static String best(TrainingResult result) {
        return result.bestAccuracy() == null
                ? ""
                : ", best %s at step %,d".formatted(Quantities.percent(result.bestAccuracy()), result.bestStep());
    }

    private static ObjectNode json(TrainingResult result, int checkpoints, SaveStatistics saves, Duration wall) {
        return Json.object()
                .put("step", result.step())
                .put("epoch", result.epoch())
                .put("loss", result.loss())
                .put("accuracy", result.accuracy())
                .put("testLoss", result.testLoss())
                .put("bestAccuracy", result.bestAccuracy())
                .put("bestStep", result.bestStep())
                .put("resumedFromStep", result.resumedFromStep())
                .put("checkpoints", checkpoints)
                .put("failedSaves", saves.failed())
                .put("skippedSaves", saves.skipped())
                .put("remainingSeconds", 0)
                .put("stallSeconds", Json.seconds(saves.stall()))
                .put("wallSeconds", Json.seconds(wall))
                .put("weightsSha256", result.weightsSha256());
    }
}
