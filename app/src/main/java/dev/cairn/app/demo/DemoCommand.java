package dev.cairn.app.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.bench.StoredSize;
import dev.cairn.checkpoint.Codec;
import dev.cairn.disk.Folders;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `cairn demo`: shows that a killed training resumes and ends in the same bits.
@Command(
        name = "demo",
        description =
                "Trains LeNet-5 on digits twice: once undisturbed, and once killed with SIGKILL at a random step and "
                        + "resumed. Shows the lost steps, the time and the size of checkpoints, whether both trainings end "
                        + "in the same bits, and the size of the same checkpoints with --codec lossy.",
        sortOptions = false,
        footer = {
            "",
            "With --workers N, N processes train together, and one of them is killed. The",
            "others keep the state of the last finished step, a spare process takes the",
            "place, and the training goes on."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int MOST_WORKERS = 16;

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "800",
            description = "Number of steps of each training, at least 20 (default: ${DEFAULT-VALUE}).")
    private long steps;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed of the training (default: 1).")
    private long seed;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Train with N processes, and kill one of them (default: 1: train with one, and kill it).")
    private int workers;

    @Option(
            names = "--run",
            paramLabel = "DIR",
            description =
                    "Keep the runs in this folder, which must be empty or new (default: a temporary folder, deleted at the end).")
    private @Nullable Path folder;

    private volatile @Nullable TrainingProcess current;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    DemoCommand() {}

    /// The results of the demonstration.
    ///
    /// @param checkpoints the checkpoints that the killed run has at the end
    /// @param newestBytes the size of the newest of them, with its record
    /// @param all the checkpoints of the undisturbed run, none of which was removed
    /// @param allBytes their size, with their records
    /// @param lossy the same checkpoints with the default lossy codec
    private record Outcome(
            ObjectNode undisturbed,
            ObjectNode resumed,
            long killedAt,
            double recoverySeconds,
            List<Commit> checkpoints,
            long newestBytes,
            List<Commit> all,
            long allBytes,
            Replay lossy) {
        boolean identical() {
            return weights(undisturbed).equals(weights(resumed));
        }

        /// The steps that were trained twice: the killed process trained them after its last commit.
        long stepsLost() {
            return killedAt - resumed.path("resumedFromStep").asLong(0);
        }

        private static String weights(ObjectNode result) {
            return result.path("weightsSha256").asText();
        }
    }

    @Override
    public Integer call() throws IOException {
        if (steps < 20) {
            throw new CommandLine.ParameterException(spec.commandLine(), "--steps must be at least 20, not " + steps);
        }
        if (workers < 1 || workers > MOST_WORKERS) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--workers must be from 1 to %d, not %d".formatted(MOST_WORKERS, workers));
        }
        Path kept = folder;
        Path work = kept == null ? Files.createTempDirectory("cairn-demo-") : Files.createDirectories(kept);
        Thread cleaner = new Thread(() -> cleanUp(kept == null ? work : null), "cairn-demo-cleaner");
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            checkEmpty(work);
            var stage = new Stage(
                    Terminal.of(spec.commandLine().getErr()),
                    work.resolve("training.log"),
                    steps,
                    process -> current = process);
            if (workers > 1) {
                return tell(TeamDemo.of(stage, settings(), workers, work));
            }
            Outcome outcome = demonstrate(stage, work);
            PrintWriter out = spec.commandLine().getOut();
            if (common.json) {
                printJson(out, outcome);
            } else {
                printTable(out, outcome);
            }
            return outcome.identical() ? ExitCode.DONE : ExitCode.FAILED;
        } finally {
            if (kept == null) {
                Folders.delete(work);
            }
            forget(cleaner);
        }
    }

    private int tell(TeamDemo demo) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            Json.print(out, demo.document());
        } else {
            demo.print(out);
        }
        return demo.isIdentical() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static void forget(Thread cleaner) {
        try {
            Runtime.getRuntime().removeShutdownHook(cleaner);
        } catch (IllegalStateException shuttingDown) {
            // It is already running.
        }
    }

    /// Cleans up after Ctrl-C and SIGTERM: ends the training and deletes the temporary folder.
    private void cleanUp(@Nullable Path temporary) {
        TrainingProcess running = current;
        if (running != null) {
            running.close();
        }
        if (temporary != null) {
            try {
                Folders.delete(temporary);
            } catch (IOException kept) {
                // The system will clean up its temporary files.
            }
        }
        Terminal.of(spec.commandLine().getErr()).line("");
    }

    private long every() {
        return Math.max(1, steps / 16);
    }

    private List<String> settings() {
        return List.of(
                "lenet",
                "--steps",
                Long.toString(steps),
                "--every",
                Long.toString(every()),
                "--seed",
                Long.toString(seed));
    }

    private Outcome demonstrate(Stage stage, Path work) throws IOException {
        Terminal terminal = stage.terminal();
        long every = every();
        List<String> settings = settings();
        // Not right at the start: before the first checkpoint there would be nothing to resume from.
        long killAt = ThreadLocalRandom.current().nextLong(Math.max(every + 1, steps / 4), steps);
        Path alone = work.resolve("undisturbed");
        Path killed = work.resolve("killed");

        terminal.line("1/3  training %d steps undisturbed, with a checkpoint every %d steps".formatted(steps, every));
        ObjectNode undisturbed;
        List<String> keepAll =
                Stream.concat(settings.stream(), Stream.of("--keep", "all")).toList();
        try (var process = stage.start(keepAll, alone)) {
            undisturbed = process.watchToEnd(stage::showStep);
            terminal.progressDone();
        }

        terminal.line("2/3  the same again, killed with SIGKILL at step " + killAt);
        long killedAt;
        try (var process = stage.start(settings, killed)) {
            if (!process.watchUntil(killAt, stage::showStep)) {
                throw new IOException(
                        "the training ended before it could be killed; its messages are in " + stage.log());
            }
            process.kill();
            killedAt = process.lastStep();
            terminal.progressDone();
        }

        terminal.line("3/3  resuming with the same command");
        try (var process = stage.start(settings, killed)) {
            ObjectNode resumed = process.watchToEnd(stage::showStep);
            terminal.progressDone();
            List<Commit> all = Stage.checkpoints(alone);
            List<Commit> left = Stage.checkpoints(killed);
            return new Outcome(
                    undisturbed,
                    resumed,
                    killedAt,
                    Json.seconds(process.untilFirstStep()),
                    left,
                    StoredSize.of(killed, left.getLast()),
                    all,
                    StoredSize.of(alone, all),
                    Replay.of(alone, all, work.resolve("lossy"), Codec.parse("lossy")));
        }
    }

    private void printTable(PrintWriter out, Outcome outcome) {
        Commit newest = outcome.checkpoints().getLast();
        double stall = outcome.undisturbed().path("stallSeconds").asDouble();
        double wall = outcome.undisturbed().path("wallSeconds").asDouble();
        out.println();
        row(out, "killed at step", "%d of %d".formatted(outcome.killedAt(), steps));
        row(
                out,
                "resumed from step",
                outcome.resumed().path("resumedFromStep").asLong(0)
                        + (outcome.resumed().path("resumedFromStep").isNull() ? ": there was no checkpoint yet" : ""));
        row(out, "steps lost", Long.toString(outcome.stepsLost()));
        row(
                out,
                "checkpoint size",
                "%s, of %s in memory"
                        .formatted(Quantities.bytes(outcome.newestBytes()), Quantities.bytes(newest.fullBytes())));
        row(
                out,
                "all %d together".formatted(outcome.all().size()),
                "%s lossless; %s with --codec lossy, weights off by %s"
                        .formatted(
                                Quantities.bytes(outcome.allBytes()),
                                Quantities.bytes(outcome.lossy().bytes()),
                                Quantities.percent(outcome.lossy().usualError())));
        row(
                out,
                "waited for checkpoints",
                "%s of %s training".formatted(Quantities.seconds(stall), Quantities.seconds(wall)));
        row(
                out,
                "recovery time",
                Quantities.seconds(outcome.recoverySeconds()) + " from the start to the end of the next step");
        row(
                out,
                "final accuracy",
                Quantities.percent(outcome.resumed().path("accuracy").asDouble()));
        row(out, "identical", outcome.identical() ? "yes" : "NO: the final weights differ");
        out.flush();
    }

    private static void row(PrintWriter out, String name, String value) {
        Prose.print(out, "  %-24s".formatted(name), value);
    }

    private void printJson(PrintWriter out, Outcome outcome) {
        Commit newest = outcome.checkpoints().getLast();
        Json.print(
                out,
                Json.object()
                        .put("identical", outcome.identical())
                        .put("kills", 1)
                        .put("stepsTotal", steps)
                        .put("killedAtStep", outcome.killedAt())
                        .put("stepsLost", outcome.stepsLost())
                        .put("checkpoints", outcome.checkpoints().size())
                        .put("checkpointBytes", outcome.newestBytes())
                        .put("fullBytes", newest.fullBytes())
                        .put("allCheckpoints", outcome.all().size())
                        .put("allCheckpointsBytes", outcome.allBytes())
                        .put("lossyCheckpointsBytes", outcome.lossy().bytes())
                        .put("lossyErrorOfState", outcome.lossy().usualError())
                        .put(
                                "stallSeconds",
                                outcome.undisturbed().path("stallSeconds").asDouble())
                        .put("recoverySeconds", outcome.recoverySeconds())
                        .put("accuracy", outcome.resumed().path("accuracy").asDouble())
                        .put("weightsSha256", Outcome.weights(outcome.resumed())));
    }

    private void checkEmpty(Path work) throws IOException {
        try (Stream<Path> files = Files.list(work)) {
            if (files.findAny().isPresent()) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "--run " + work + " is not empty; give an empty or a new folder");
            }
        }
    }
}
