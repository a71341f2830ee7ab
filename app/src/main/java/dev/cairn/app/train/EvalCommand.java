package dev.cairn.app.train;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Failures;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.BestStep;
import dev.cairn.app.run.CopyOption;
import dev.cairn.app.run.DataFolderOption;
import dev.cairn.app.run.RunAt;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.CodecName;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Skipped;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.train.Evaluation;
import dev.cairn.train.Evaluation.Result;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn eval`.
@Command(
        name = "eval",
        description =
                "Scores a stored checkpoint on the test split of its run's data. This shows the effect of a lossy "
                        + "codec. The run is only read.",
        footer = {
            "",
            "A damaged checkpoint is skipped, as in a restore, unless its step was named.",
            "Only runs of 'cairn train' know their workload and data.",
            "",
            "Examples:",
            "  cairn eval runs/first",
            "  cairn eval runs/first@best",
            "  cairn eval runs/first@1200 --json"
        })
public final class EvalCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "RUN[@STEP|@best]",
            description =
                    "The run's folder, or s3://bucket/prefix. Selects the newest checkpoint, the newest of STEP, or the best.")
    private RunAt argument;

    @Mixin
    private DataFolderOption data;

    @Mixin
    private CopyOption copy;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    EvalCommand() {}

    @Override
    public Integer call() throws IOException, RefusedException {
        long startNanos = Clock.system().nanos();
        data.places(spec);
        CheckpointStore store = Runs.open(spec, argument.run(), storage, copy);
        var point = new ForkPoint(store, argument.run().name(), argument.selector());
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        TrainingSettings settings = settings(point.record().attributes());
        Evaluation evaluation = evaluation(settings, terminal);
        terminal.progress(() -> "scoring");
        Result result;
        try {
            result = evaluation.of(point, event -> tell(terminal, event));
        } finally {
            terminal.progressDone();
        }
        BestStep best =
                BestStep.of(argument.selector(), store, result.checkpoint().step());
        best.note().ifPresent(terminal::line);
        Duration wall = Duration.ofNanos(Clock.system().nanos() - startNanos);
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            Json.print(out, json(settings, result, best, wall));
        } else {
            print(out, settings, result, argument.run().toString());
        }
        return ExitCode.DONE;
    }

    private TrainingSettings settings(Attributes attributes) throws RefusedException {
        String workload = attributes
                .text("workload")
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        ("%s has no workload: it was imported, or another program trained it; 'eval' scores "
                                        + "runs of 'cairn train'; 'cairn train WORKLOAD --run NEW --from %s' makes one "
                                        + "of it")
                                .formatted(argument.run().toString(), argument.text())));
        return TrainingSettings.resolve(TrainingRequest.of(workload), Optional.of(attributes))
                .settings();
    }

    private Evaluation evaluation(TrainingSettings settings, Terminal terminal) throws IOException {
        try {
            return new Evaluation(settings, data.load(spec, settings.data(), terminal), new Warnings(terminal));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), Failures.describe(e), e);
        }
    }

    private static void tell(Terminal terminal, CheckpointEvent event) {
        if (event instanceof CheckpointEvent.PassedOver(long _, var step, var reason)) {
            terminal.line(Skipped.line(step, reason));
        } else if (event instanceof CheckpointEvent.Healed healed) {
            terminal.line("cairn: " + healed.text());
        }
    }

    private static void print(PrintWriter out, TrainingSettings settings, Result result, String run) {
        Checkpoint checkpoint = result.checkpoint();
        Prose.print(
                out,
                "%s on %s: step %,d of %s, %s"
                        .formatted(
                                settings.workload().label(),
                                settings.data(),
                                checkpoint.step(),
                                run,
                                stored(checkpoint)));
        row(
                out,
                result.measure().label(),
                "%s on the test split, %,d examples"
                        .formatted(Quantities.score(result.measure(), result.score()), result.examples()));
        row(out, "loss", Quantities.decimal(result.loss()));
        row(
                out,
                "trained",
                result.trained()
                        .map(trained -> Quantities.score(result.measure(), trained) + " before it was stored")
                        .orElse("not scored at this step"));
    }

    private static void row(PrintWriter out, String name, String text) {
        Prose.print(out, "  %-8s  ".formatted(name), text);
    }

    private static String stored(Checkpoint checkpoint) {
        double error = checkpoint.error().ofState();
        return error == 0
                ? "stored exactly"
                : "stored as %s, weights off by %s"
                        .formatted(CodecName.explained(checkpoint.codec()), Quantities.share(error));
    }

    private static ObjectNode json(TrainingSettings settings, Result result, BestStep best, Duration wall) {
        Checkpoint checkpoint = result.checkpoint();
        String label = result.measure().label();
        ObjectNode document = Json.object()
                .put("id", checkpoint.id())
                .put("step", checkpoint.step())
                .put("workload", settings.workload().label())
                .put("data", settings.data())
                .put("codec", checkpoint.codec());
        Json.putNumber(document, "errorOfState", checkpoint.error().ofState());
        Json.putNumber(document, label, result.score());
        Json.putNumber(document, "testLoss", result.loss());
        Json.putNumber(
                document,
                "trained" + Character.toUpperCase(label.charAt(0)) + label.substring(1),
                result.trained().orElse(Double.NaN));
        best.put(document);
        return document.put("examples", result.examples()).put("wallSeconds", Json.seconds(wall));
    }

    /// Prints the warnings of scoring and ignores all other events.
    private record Warnings(Terminal terminal) implements TrainingObserver {
        @Override
        public void on(TrainingEvent event) {
            if (event instanceof TrainingEvent.Warned warned) {
                terminal.line(TerminalReport.warning(warned));
            }
        }
    }
}
