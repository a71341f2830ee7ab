package dev.cairn.app.keep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.Keep;
import dev.cairn.app.run.Keeping;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.run.WritingOptions;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.store.Clock;
import dev.cairn.store.check.Soundness;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn prune`.
@Command(
        name = "prune",
        description =
                "Removes the checkpoints that --keep does not select. Keeps the newest one, and those that kept ones need.",
        footer = {"", "A training does this automatically, by its own --keep. Not possible while one", "is running."})
public final class PruneCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "RUN", description = "The run's folder, or s3://bucket/prefix.")
    private RunLocation run;

    @Mixin
    private StorageOptions storage;

    @Option(
            names = "--keep",
            paramLabel = "WHAT",
            defaultValue = "latest:5,every:1h,best:1",
            converter = Keep.class,
            description = {
                "Which checkpoints to keep; 'cairn train --help' explains the policies.",
                "Default: ${DEFAULT-VALUE}"
            })
    private Retention keep;

    @Option(names = "--dry-run", description = "Show what would be removed, but change nothing.")
    private boolean dryRun;

    @Mixin
    private WritingOptions writing;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    PruneCommand() {}

    @Override
    public Integer call() throws IOException {
        CheckpointStore store = Runs.open(spec, run, storage);
        PrintWriter out = spec.commandLine().getOut();
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        if (dryRun) {
            History history = store.history();
            print(out, plan(store, history, Clock.system().now(), terminal), history);
            return ExitCode.DONE;
        }
        try (WriterRight right = WriterRight.take(Runs.blobs(spec, run, storage), writing.claim(spec, run, terminal))) {
            terminal.progressDone();
            CheckpointWriter writer = CheckpointWriter.open(store, right);
            Instant now = Clock.system().now();
            History history = store.history();
            PrunePlan plan = plan(store, history, now, terminal);
            writer.prune(plan, now);
            writer.tryWriteTwins(); // the next writer makes up for what is missing
            print(out, plan, history);
        }
        return ExitCode.DONE;
    }

    /// Makes the plan. Reads the newest checkpoint, to be sure that a good one stays.
    private PrunePlan plan(CheckpointStore store, History history, Instant now, Terminal terminal) throws IOException {
        Soundness sound = StoreVerifier.soundness(store, Depth.CHECKSUMS);
        PrunePlan plan = PrunePlan.of(history, keep, now, checkpoint -> {
            terminal.progress(() -> "checking step %d, which will stay".formatted(checkpoint.step()));
            return sound.isSound(checkpoint);
        });
        terminal.progressDone();
        return plan;
    }

    private void print(PrintWriter out, PrunePlan plan, History history) {
        List<Commit> removed = plan.removed();
        long bytes = removed.stream().mapToLong(Commit::storedBytes).sum();
        if (common.json) {
            ObjectNode document = Json.object()
                    .put("dryRun", dryRun)
                    .put("bytes", bytes)
                    .put("kept", plan.kept().size())
                    .put("needed", plan.needed().size());
            var list = document.putArray("removed");
            for (Commit checkpoint : removed) {
                list.addObject()
                        .put("step", checkpoint.step())
                        .put("id", checkpoint.id())
                        .put("bytes", checkpoint.storedBytes());
            }
            Json.print(out, document);
            return;
        }
        for (Commit checkpoint : removed) {
            out.printf(
                    "%s step %d, %s%n",
                    dryRun ? "would remove" : "removed", checkpoint.step(), Quantities.bytes(checkpoint.storedBytes()));
        }
        out.printf(
                "%s%s%n",
                removed.isEmpty()
                        ? "nothing to remove"
                        : "%s, %s%s"
                                .formatted(
                                        Quantities.count(removed.size(), "checkpoint"),
                                        Quantities.bytes(bytes),
                                        dryRun ? "" : " freed"),
                dryRun ? " (--dry-run: nothing was changed)" : "");
        Prose.print(
                out,
                Keeping.held(history)
                        .or(() -> Keeping.unmeasured(keep, history))
                        .orElseGet(() -> why(plan)));
    }

    /// Says which checkpoints stay, and why.
    private String why(PrunePlan plan) {
        int needed = plan.needed().size();
        int wanted = plan.kept().size() - needed;
        int all = plan.kept().size() + plan.removed().size();
        String stays = "--keep %s selects %d of %d".formatted(keep.text(), wanted, all);
        if (needed == 0) {
            return stays;
        }
        // A merged checkpoint needs at most one other.
        String cure = needed > wanted ? " ('cairn merge' makes them need fewer, but takes space)" : "";
        return "%s; %s of the others%s"
                .formatted(
                        stays,
                        wanted == 1 ? "it is a delta and needs " + needed : "these are deltas and need " + needed,
                        cure);
    }
}
