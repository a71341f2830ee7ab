package dev.cairn.app.inspect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.CopyOption;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.check.StoreVerifier.IncompleteTensor;
import dev.cairn.store.check.StoreVerifier.Report;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn verify`.
@Command(
        name = "verify",
        description =
                "Checks a run: compares every byte with its checksum, and reconstructs every checkpoint as a restore would.",
        footer = {"", "Exit code 3 if something is damaged. Nothing is changed."})
public final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "RUN", description = "The run's folder, or s3://bucket/prefix.")
    private RunLocation run;

    @Mixin
    private CopyOption copy;

    @Mixin
    private StorageOptions storage;

    @Option(names = "--checksums", description = "Compare every byte with its checksum, but reconstruct nothing.")
    private boolean checksums;

    @Option(names = "--fast", description = "Check records, sizes and indexes only, not the tensors' bytes.")
    private boolean fast;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    VerifyCommand() {}

    @Override
    public Integer call() throws IOException {
        CheckpointStore store = Runs.open(spec, run, storage, copy);
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        Report report = StoreVerifier.verify(
                store,
                depth(),
                progress -> terminal.progress(() -> "checked %s of %s"
                        .formatted(
                                Quantities.bytes(progress.checkedBytes()), Quantities.bytes(progress.totalBytes()))));
        terminal.progressDone();
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            printJson(out, report);
        } else {
            printText(out, report, report.checkpoints() - store.currentEntries().size());
        }
        return report.ok() ? ExitCode.DONE : ExitCode.DAMAGED;
    }

    private Depth depth() {
        if (fast && checksums) {
            throw new ParameterException(
                    spec.commandLine(), "--fast and --checksums are different checks; give only one of them");
        }
        if (fast) {
            return Depth.FAST;
        }
        return checksums ? Depth.CHECKSUMS : Depth.FULL;
    }

    /// @param earlier the number of checkpoints from before a fresh start
    private void printText(PrintWriter out, Report report, int earlier) {
        for (DamagedFile damaged : report.damaged()) {
            String healable = damaged.healable()
                    ? " (nothing is lost: 'cairn repair%s' rewrites it)".formatted(copy.isGiven() ? " --copy" : "")
                    : "";
            out.println("damaged: " + damaged.file() + ": " + damaged.reason() + healable);
        }
        for (IncompleteTensor incomplete : report.incomplete()) {
            out.println("incomplete (no damage; only the stored parts can be read): %s: no part of %s has %s"
                    .formatted(incomplete.file(), incomplete.tensor(), incomplete.missing()));
        }
        for (String leftover : report.leftovers()) {
            out.println("left over from an interrupted save (harmless, removed by the next training): " + leftover);
        }
        for (String foreign : report.foreign()) {
            out.println("not a file of Cairn, left alone and not checked: " + foreign);
        }
        report.damaged().stream()
                .filter(damaged -> !damaged.healable())
                .map(DamagedFile::kind)
                .distinct()
                .sorted()
                .map(this::advice)
                .forEach(advice -> Prose.print(out, advice));
        String how = switch (depth()) {
            case FAST -> " (--fast: records, sizes and indexes only)";
            case CHECKSUMS -> " (--checksums: nothing was reconstructed)";
            case FULL -> "";
        };
        Prose.print(
                out,
                "%s: %s%s, %s, %s checked%s"
                        .formatted(
                                report.ok() ? "ok" : "DAMAGED",
                                Quantities.count(report.checkpoints(), "checkpoint"),
                                earlier > 0
                                        ? " (%d of them from before --fresh, not listed by 'cairn ls')"
                                                .formatted(earlier)
                                        : "",
                                result(report),
                                Quantities.bytes(report.checkedBytes()),
                                how));
    }

    private static String result(Report report) {
        if (report.ok()) {
            return "0 damaged";
        }
        String files = Quantities.count(report.damaged().size(), "damaged file");
        return report.damaged().stream().allMatch(DamagedFile::healable)
                ? "all of which can be restored (%s)".formatted(files)
                : "%d damaged or built on a damaged one (%s)".formatted(report.affected(), files);
    }

    private String advice(DamagedFile.Kind kind) {
        return switch (kind) {
            case CHECKPOINT ->
                "'cairn train' skips damaged checkpoints and resumes from the newest good one, if there is one; "
                        + (copy.isGiven()
                                ? "'cairn repair --copy' takes from the copy what is whole there, and moves the others away"
                                : "'cairn repair' moves them away, and with --copy it first takes what the run's copy has");
            case NEWER_FORMAT -> "'cairn train' refuses files of a newer format: use a later version of Cairn";
            case PARTS ->
                "writers stored different values of the same elements: a restore that joins these parts skips the "
                        + "checkpoint, and one in the stored parts does not notice";
            case LEASE ->
                "a damaged lease does not affect checkpoints: it expires within 15 s, and the next one replaces it";
        };
    }

    private static void printJson(PrintWriter out, Report report) {
        ObjectNode document = Json.object()
                .put("ok", report.ok())
                .put("checkpoints", report.checkpoints())
                .put("damagedCheckpoints", report.affected())
                .put("checkedBytes", report.checkedBytes());
        var damaged = document.putArray("damaged");
        for (DamagedFile file : report.damaged()) {
            damaged.addObject()
                    .put("file", file.file())
                    .put("reason", file.reason())
                    .put("healable", file.healable());
        }
        var incomplete = document.putArray("incomplete");
        for (IncompleteTensor each : report.incomplete()) {
            incomplete
                    .addObject()
                    .put("file", each.file())
                    .put("tensor", each.tensor().toString())
                    .put("missing", each.missing().toString());
        }
        report.leftovers().forEach(document.putArray("leftovers")::add);
        report.foreign().forEach(document.putArray("foreign")::add);
        Json.print(out, document);
    }
}
