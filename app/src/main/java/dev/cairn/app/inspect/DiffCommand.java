package dev.cairn.app.inspect;

import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.RunAt;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.checkpoint.CheckpointEvent.Healed;
import dev.cairn.store.reading.CheckpointDifference;
import dev.cairn.store.reading.CheckpointDifference.Side;
import dev.cairn.store.reading.SteadyRead;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn diff`.
@Command(
        name = "diff",
        description = "Compares two checkpoints, of one run or of two, tensor by tensor.",
        footer = {
            "",
            "change   Euclidean norm of the change from A to B.",
            "of A     that norm, relative to the norm of A.",
            "largest  largest change of one element.",
            "equal    share of elements with the same bits; a NaN equals itself.",
            "",
            "Both are read, range by range, unless their records show that all values are",
            "the same. The exit code is 0 whether they differ or not; with --exit-code it is",
            "1 if they differ."
        })
public final class DiffCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            index = "0",
            paramLabel = "A[@STEP|@best]",
            description =
                    "A run's folder, or s3://bucket/prefix. Selects the newest checkpoint, the newest of STEP, or the best.")
    private RunAt first;

    @Parameters(index = "1", paramLabel = "B[@STEP|@best]", description = "The same run or another one.")
    private RunAt second;

    @Option(names = "--exit-code", description = "Exit with code 1 if they differ.")
    private boolean exitCode;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    DiffCommand() {}

    @Override
    public Integer call() throws IOException {
        Comparison comparison = SteadyRead.of(this::compare);
        PrintWriter out = spec.commandLine().getOut();
        for (RunAt.Found side : List.of(comparison.a(), comparison.b())) {
            side.tell(spec.commandLine().getErr());
        }
        healed(comparison).forEach(healed -> spec.commandLine().getErr().println("cairn: " + healed.text()));
        var report = new DiffReport(comparison.a().checkpoint(), comparison.b().checkpoint(), comparison.difference());
        if (common.json) {
            Json.print(out, report.json());
        } else {
            report.print(out);
        }
        return exitCode && !comparison.difference().isNone() ? ExitCode.FAILED : ExitCode.DONE;
    }

    /// The files of both sides that were read from what the runs have a second time.
    private List<Healed> healed(Comparison comparison) {
        var healed = new ArrayList<Healed>();
        comparison.a().history().healedRecords().values().forEach(damage -> healed.add(Healed.fromTwin(damage)));
        if (!first.run().equals(second.run())) {
            comparison.b().history().healedRecords().values().forEach(damage -> healed.add(Healed.fromTwin(damage)));
        }
        comparison.difference().healed().forEach(damage -> healed.add(Healed.of(damage)));
        return healed;
    }

    private record Comparison(RunAt.Found a, RunAt.Found b, CheckpointDifference difference) {}

    private Comparison compare(SteadyRead runs) throws IOException {
        RunAt.Found a = first.find(spec, storage, runs);
        RunAt.Found b = second.find(spec, storage, runs);
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        long bytes = a.checkpoint().fullBytes();
        try {
            CheckpointDifference difference = CheckpointDifference.between(
                    new Side(a.store(), a.checkpoint()),
                    new Side(b.store(), b.checkpoint()),
                    compared -> terminal.progress(
                            () -> "compared %s of %s".formatted(Quantities.bytes(compared), Quantities.bytes(bytes))));
            return new Comparison(a, b, difference);
        } finally {
            terminal.progressDone();
        }
    }
}
