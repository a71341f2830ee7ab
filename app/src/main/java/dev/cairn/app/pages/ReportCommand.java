package dev.cairn.app.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Svg;
import dev.cairn.dashboard.report.Report;
import dev.cairn.dashboard.run.WatchedRun;
import dev.cairn.store.Clock;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn report`.
@Command(
        name = "report",
        description = "Writes one HTML file about a run: what ran, its curves, checkpoints, failures, system use and "
                + "configuration. The file needs no other file and no network, so it can be mailed.",
        footer = {
            "",
            "The curves come from the events and system figures that 'cairn train' records",
            "in the run (docs/EVENTS.md, docs/SYSTEM.md); the table of checkpoints from the",
            "run's records. Reads only. A training may write at the same time.",
            "",
            "Examples:",
            "  cairn report runs/first",
            "  cairn report runs/first --out first.html"
        })
public final class ReportCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "RUN", description = "The run's folder, or s3://bucket/prefix.")
    private RunLocation run;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The file to write; an existing one is replaced. Default: report-NAME.html, with the name of "
                    + "the run.")
    private @Nullable Path out;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    ReportCommand() {}

    @Override
    public Integer call() throws IOException {
        var blobs = Runs.open(spec, run, storage).blobs();
        String page = Report.of(WatchedRun.at(run, blobs, Clock.system()), version());
        Path file = out == null ? Path.of("report-" + fileName(run.name()) + ".html") : out;
        Svg.write(file, page);
        long bytes = page.getBytes(UTF_8).length;
        PrintWriter writer = spec.commandLine().getOut();
        if (common.json) {
            Json.print(writer, Json.object().put("file", file.toString()).put("bytes", bytes));
        } else {
            writer.println("%s, %s".formatted(file, Quantities.bytes(bytes)));
            writer.flush();
        }
        return ExitCode.DONE;
    }

    private static String fileName(String run) {
        return run.replaceAll("[^\\p{L}\\p{N}._-]", "-");
    }

    static String version() {
        String version = ReportCommand.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }
}
