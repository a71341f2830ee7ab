package dev.cairn.app.inspect;

import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.run.RunAt;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn show`.
@Command(
        name = "show",
        description = "Shows one checkpoint: its tensors, what they take, what they need and what they cost.",
        footer = {
            "",
            "stored   what the tensor takes in this checkpoint; in a delta, the change alone.",
            "error    how far off it is from what was live, relative to that, as measured",
            "         when it was saved; exact: not at all; ?: it was not measured;",
            "         dropped: not stored, a restore sets it to zeros, as most lossy",
            "         codecs have it for first moments (momentum, Adam's m).",
            "restore  what a restore reads at most: this checkpoint and what it needs.",
            "",
            "Reads the run's records and no tensor, however large: 'cairn verify' reads",
            "them. Exit code 3 where the records tell that it cannot be restored."
        })
public final class ShowCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "RUN[@STEP|@best]",
            description =
                    "The run's folder, or s3://bucket/prefix: the newest checkpoint, the newest of a step, or the best of those "
                            + "that were saved.")
    private RunAt what;

    @Option(names = "--attributes", description = "Also list what else it knows: place in the data, settings, scores.")
    private boolean attributes;

    @Option(
            names = "--policy",
            description = "Show instead when the run chose another interval between saves, and why.")
    private boolean policy;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    ShowCommand() {}

    @Override
    public Integer call() throws IOException {
        RunAt.Found found = what.find(spec, storage);
        found.tell(spec.commandLine().getErr());
        if (policy) {
            new PolicyReport(found.history()).print(spec.commandLine().getOut(), common.json);
            return ExitCode.DONE;
        }
        CheckpointView view = CheckpointView.of(found);
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            Json.print(out, new ShowJson(view).document());
        } else {
            var text = new ShowText(view);
            text.print(out);
            if (attributes) {
                text.printAttributes(out);
            }
        }
        return view.problem().isEmpty() ? ExitCode.DONE : ExitCode.DAMAGED;
    }
}
