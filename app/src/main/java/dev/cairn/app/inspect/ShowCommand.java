package dev.cairn.app.inspect;

import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.run.RunAt;
import dev.cairn.app.run.Runs;
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
        description =
                "Shows one checkpoint: its tensors, their sizes and errors, what a restore reads, and what the save cost.",
        footer = {
            "",
            "stored   size of the tensor in this checkpoint; in a delta, of the change only.",
            "error    error relative to the live tensor, as measured by the save; exact: no",
            "         error; ?: not measured; dropped: not stored, and a restore sets it to",
            "         zeros. Most lossy codecs drop first moments (momentum, Adam's m).",
            "restore  what a restore reads at most: this checkpoint and those it needs.",
            "scrub    how many files of the run were read again since they were written;",
            "         the records count as one (--scrub of 'cairn train').",
            "",
            "Reads only the run's records, and no tensors: 'cairn verify' reads them. Exit",
            "code 3 if the records show that the checkpoint cannot be restored."
        })
public final class ShowCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "RUN[@STEP|@best]",
            description =
                    "The run's folder, or s3://bucket/prefix. Selects the newest checkpoint, the newest of STEP, or the best "
                            + "saved one.")
    private RunAt what;

    @Option(names = "--attributes", description = "Also list the attributes: position in the data, settings, scores.")
    private boolean attributes;

    @Option(names = "--policy", description = "Show instead when the run changed its save interval, and why.")
    private boolean policy;

    @Option(
            names = "--workers",
            description =
                    "Show instead what each worker did, and how they recovered from failures, if several trained.")
    private boolean workers;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    ShowCommand() {}

    @Override
    public Integer call() throws IOException {
        if (workers) {
            Runs.open(spec, what.run(), storage); // refuses what is no run
            TeamHistory.of(Runs.blobs(spec, what.run(), storage))
                    .print(spec.commandLine().getOut(), common.json);
            return ExitCode.DONE;
        }
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
