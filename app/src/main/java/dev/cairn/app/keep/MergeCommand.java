package dev.cairn.app.keep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.run.WritingOptions;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
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

/// `cairn merge`.
@Command(
        name = "merge",
        description =
                "Shortens chains of deltas: rewrites checkpoints, bit for bit, so that restoring them reads less. A merged "
                        + "checkpoint takes more space; 'cairn prune' then removes checkpoints that are no longer needed.",
        footer = {"", "A training does this automatically. Not possible while one is running."})
public final class MergeCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "RUN", description = "The run's folder, or s3://bucket/prefix.")
    private RunLocation run;

    @Mixin
    private StorageOptions storage;

    @Option(
            names = "--longest",
            paramLabel = "N",
            defaultValue = "1",
            description = "Merge only checkpoints that need more than N deltas to restore (default: ${DEFAULT-VALUE}).")
    private int longest;

    @Mixin
    private WritingOptions writing;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    MergeCommand() {}

    /// A checkpoint before and after its merge.
    private record Merged(Commit before, Commit after, int deltas) {}

    @Override
    public Integer call() throws IOException {
        if (longest < 1) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--longest must be at least 1, not " + longest);
        }
        CheckpointStore store = Runs.open(spec, run, storage);
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        var merged = new ArrayList<Merged>();
        try (WriterRight right = WriterRight.take(Runs.blobs(spec, run, storage), writing.claim(spec, run, terminal))) {
            CheckpointWriter writer = CheckpointWriter.open(store, right);
            var merger = new Merger(store, writer);
            for (Entry entry : store.currentEntries()) {
                if (entry instanceof Entry.Intact(Commit checkpoint)) {
                    History history = store.history();
                    int deltas = history.chain(checkpoint).size() - 1;
                    if (deltas > longest) {
                        terminal.progress(
                                () -> "merging the %d deltas of step %d".formatted(deltas, checkpoint.step()));
                        merger.merge(checkpoint).ifPresent(after -> merged.add(new Merged(checkpoint, after, deltas)));
                    }
                }
            }
            writer.tryWriteTwins(); // the next writer makes up for what is missing
        }
        terminal.progressDone();
        print(spec.commandLine().getOut(), merged);
        return ExitCode.DONE;
    }

    private void print(PrintWriter out, List<Merged> merged) {
        if (common.json) {
            ObjectNode document = Json.object();
            var list = document.putArray("merged");
            for (Merged each : merged) {
                list.addObject()
                        .put("step", each.after().step())
                        .put("id", each.after().id())
                        .put("deltas", each.deltas())
                        .put("bytesBefore", each.before().storedBytes())
                        .put("bytes", each.after().storedBytes());
            }
            Json.print(out, document);
            return;
        }
        for (Merged each : merged) {
            out.printf(
                    "step %d: %d deltas merged, %s instead of %s%n",
                    each.after().step(),
                    each.deltas(),
                    Quantities.bytes(each.after().storedBytes()),
                    Quantities.bytes(each.before().storedBytes()));
        }
        if (merged.isEmpty()) {
            out.println("nothing to merge: no checkpoint needs more than %d %s to restore"
                    .formatted(longest, longest == 1 ? "delta" : "deltas"));
        }
    }
}
