package dev.cairn.app.inspect;

import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.run.RunFolders;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.Json;
import dev.cairn.store.check.QuickCheck.Limits;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn ls`.
@Command(
        name = "ls",
        description = "Lists a run's checkpoints, oldest first; or several runs, one line each.",
        footer = {
            "",
            "kind      base: a full checkpoint; delta: needs the checkpoint that it is built",
            "          on; merged: rewritten, bit for bit, to replace a long chain.",
            "ratio     how many times smaller than in memory.",
            "accuracy  on the test split, of the weights before they were stored (rmse for",
            "          mf); in brackets if measured at an earlier step. 'cairn eval' scores",
            "          the stored weights.",
            "loss      loss of the last batch.",
            "error     relative error of the weights; exact: no error. Shown if any",
            "          checkpoint is not exact.",
            "status    good or damaged: the newest checkpoints are read and checked, at most",
            "          50 or 256 MB in all (16 MB from object storage). not checked: of older",
            "          checkpoints only records and sizes are checked, and nothing wrong was",
            "          found. 'cairn verify' reads all checkpoints.",
            "",
            "For several runs, at most ten checkpoints or 32 MB of each are read. If the",
            "terminal is too narrow, id and codec are left out first, then error, loss and",
            "ratio."
        })
public final class LsCommand implements Callable<Integer> {
    /// Reads no checkpoint.
    private static final Limits NONE = new Limits(0, 0);

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "RUN",
            arity = "1..*",
            description = "A run's folder, or s3://bucket/prefix, or a folder that contains runs.")
    private List<RunLocation> locations;

    @Option(
            names = "--watch",
            description =
                    "Show it again every two seconds, until Ctrl-C. Only records and sizes are checked then. If the "
                            + "output is not a terminal, it is printed again when it has changed.")
    private boolean watch;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    LsCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (!watch) {
            return list(out);
        }
        if (common.json) {
            throw new ParameterException(
                    spec.commandLine(), "--watch is for people; for scripts, call 'ls --json' again and again");
        }
        Watch.onTerminalOr(out).show(this::list, Watch::pause);
        return ExitCode.DONE;
    }

    private int list(PrintWriter out) throws IOException {
        RunLocation first = locations.getFirst();
        boolean several = locations.size() > 1
                || (first instanceof RunLocation.Folder(Path folder)
                        && !RunFolders.isRun(folder)
                        && !RunFolders.runsIn(folder).isEmpty());
        if (several) {
            var list = new RunsList(lines());
            if (common.json) {
                Json.print(out, list.json());
            } else {
                list.print(out);
            }
            return ExitCode.DONE;
        }
        Limits limits = watch ? NONE : first instanceof RunLocation.Remote ? Limits.REMOTE : Limits.USUAL;
        RunListing listing = RunListing.of(Runs.open(spec, first, storage), limits);
        if (common.json) {
            Json.print(out, listing.json());
        } else {
            listing.print(out, first);
        }
        return ExitCode.DONE;
    }

    private List<RunsList.Line> lines() throws IOException {
        var lines = new ArrayList<RunsList.Line>();
        var seen = new HashSet<RunLocation>();
        for (RunLocation location : locations) {
            List<RunLocation> runs = runs(location);
            if (runs.isEmpty()) {
                Runs.open(spec, location, storage); // fails with the reason
            }
            for (RunLocation run : runs) {
                if (seen.add(run.real())) {
                    CheckpointStore store = Runs.open(spec, run, storage);
                    lines.add(RunsList.line(run.toString(), RunListing.of(store, watch ? NONE : Limits.BRIEF)));
                }
            }
        }
        return lines;
    }

    /// The run that is there, or those in the folder.
    private static List<RunLocation> runs(RunLocation location) throws IOException {
        if (!(location instanceof RunLocation.Folder(Path folder)) || RunFolders.isRun(folder)) {
            return List.of(location);
        }
        return RunFolders.runsIn(folder).stream()
                .<RunLocation>map(RunLocation.Folder::new)
                .toList();
    }
}
