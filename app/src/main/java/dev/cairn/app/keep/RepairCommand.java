package dev.cairn.app.keep;

import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.CopyOption;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.run.WritingOptions;
import dev.cairn.app.text.Json;
import dev.cairn.store.Clock;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.repair.Refill;
import dev.cairn.store.repair.Repair;
import dev.cairn.store.repair.RepairPlan;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.spare.RunCopy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn repair`.
@Command(
        name = "repair",
        description =
                "Repairs a damaged run: moves damaged files, and checkpoints that cannot be restored without them, into "
                        + "the run's folder 'quarantine'. Rewrites checkpoints that can still be restored as full "
                        + "checkpoints. Nothing is deleted.",
        footer = {
            "",
            "Exit code 0: nothing is damaged, or the run is whole again.",
            "Exit code 3: with --dry-run, something is damaged; without it, no checkpoint",
            "would be left, so nothing was changed.",
            "",
            "With --copy, files are also rewritten with bytes of the copy, and checkpoints",
            "that are lost in the run are taken whole from there.",
            "",
            "Not possible while a training is running."
        })
public final class RepairCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "DIR", description = "The run's folder, or s3://bucket/prefix.")
    private RunLocation run;

    @Option(names = "--dry-run", description = "Show what would be done, but change nothing.")
    private boolean dryRun;

    @Mixin
    private WritingOptions writing;

    @Mixin
    private CopyOption copy;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    RepairCommand() {}

    @Override
    public Integer call() throws IOException {
        CheckpointStore store = Runs.open(spec, run, storage, copy);
        Optional<CheckpointStore> copied = copy.open(spec, run, storage).map(RunCopy::store);
        if (dryRun) {
            List<Commit> available = copied.isPresent() ? Refill.find(store, copied.get()) : List.of();
            RepairPlan plan = Repair.plan(store);
            print(new RepairReport(plan, available, "", dryRun, plan.isNothing()));
            return plan.isNothing() ? ExitCode.DONE : ExitCode.DAMAGED;
        }
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        RepairReport report;
        try (WriterRight right = WriterRight.take(Runs.blobs(spec, run, storage), writing.claim(spec, run, terminal))) {
            terminal.progressDone();
            terminal.progress(() -> "reading every checkpoint of " + run);
            List<Commit> taken = copied.isPresent() ? Refill.run(store, copied.get(), right) : List.of();
            Repair.Done done = Repair.run(store, right, Clock.system().now());
            boolean whole = StoreVerifier.verify(store, Depth.FULL, _ -> {}).ok();
            terminal.progressDone();
            report = new RepairReport(done.plan(), taken, done.folder(), dryRun, whole);
        }
        print(report);
        return report.whole() ? ExitCode.DONE : ExitCode.DAMAGED;
    }

    private void print(RepairReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            Json.print(out, report.json());
        } else {
            report.print(out);
        }
    }
}
