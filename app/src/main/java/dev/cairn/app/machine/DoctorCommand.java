package dev.cairn.app.machine;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.run.DataFolderOption;
import dev.cairn.app.run.ScrubText;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.codec.VectorModule;
import dev.cairn.engine.Engine;
import dev.cairn.engine.EngineUnavailableException;
import dev.cairn.store.Clock;
import dev.cairn.store.scrub.ScrubReport;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `cairn doctor`.
@Command(
        name = "doctor",
        description =
                "Checks whether this machine has what Cairn needs, and says what to do if something is missing. The "
                        + "first check of an engine unpacks its libraries.",
        sortOptions = false,
        footer = {"", "Exit code 1 if something is missing that a training needs."})
public final class DoctorCommand implements Callable<Integer> {
    private static final List<String> DOWNLOADED =
            List.of("mnist", "fashion-mnist", "jester", "movielens-100k", "movielens-1m", "movielens-10m");
    private static final long LITTLE_ROOM = 2_000_000_000L;
    private static final long LITTLE_MEMORY = 1_500_000_000L;

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    private DataFolderOption dataFolder;

    @Option(
            names = "--run",
            paramLabel = "DIR",
            defaultValue = ".",
            description =
                    "Folder for runs, or a run: checks its free space, whether it is writable, and how far its runs are "
                            + "scrubbed (default: the current folder).")
    private Path run;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    DoctorCommand() {}

    /// The result of a check.
    private enum State {
        GOOD,
        /// Works, but could be better.
        NOTE,
        MISSING;

        /// The same word for people and for scripts.
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Finding(String what, State state, String text) {}

    @Override
    public Integer call() {
        var findings = new ArrayList<Finding>();
        findings.add(java());
        findings.add(vectors());
        findings.add(memory());
        findings.add(room());
        Optional<ScrubReport> scrubbed = scrubbed(findings);
        for (Engine engine : Engine.all()) {
            findings.add(engine(engine));
        }
        for (String data : DOWNLOADED) {
            findings.add(data(data));
        }
        if (common.json) {
            Json.print(spec.commandLine().getOut(), document(findings, scrubbed));
        } else {
            print(findings);
        }
        boolean missing = findings.stream().anyMatch(finding -> finding.state() == State.MISSING);
        return missing ? ExitCode.FAILED : ExitCode.DONE;
    }

    private static Finding java() {
        return new Finding(
                "Java",
                State.GOOD,
                "%s, %d processors"
                        .formatted(Runtime.version(), Runtime.getRuntime().availableProcessors()));
    }

    private static Finding vectors() {
        return VectorModule.isPresent()
                ? new Finding("vector instructions", State.GOOD, "used by the codecs")
                : new Finding(
                        "vector instructions",
                        State.NOTE,
                        "not available: codecs are slower, with the same bits; start Cairn with './cairn'");
    }

    private static Finding memory() {
        var system = (com.sun.management.OperatingSystemMXBean)
                java.lang.management.ManagementFactory.getOperatingSystemMXBean();
        long total = system.getTotalMemorySize();
        return total < LITTLE_MEMORY
                ? new Finding("memory", State.NOTE, Quantities.bytes(total) + "; an engine needs about 500 MB")
                : new Finding("memory", State.GOOD, Quantities.bytes(total));
    }

    private Finding room() {
        Path folder = run.toAbsolutePath().normalize();
        while (folder.getParent() != null && !Files.exists(folder)) {
            folder = folder.getParent();
        }
        try {
            Files.delete(Files.createTempFile(folder, ".cairn", ".doctor")); // the only reliable test
            long usable = Files.getFileStore(folder).getUsableSpace();
            return usable < LITTLE_ROOM
                    ? new Finding(
                            "space for runs", State.NOTE, "only %s in %s".formatted(Quantities.bytes(usable), folder))
                    : new Finding("space for runs", State.GOOD, "%s in %s".formatted(Quantities.bytes(usable), folder));
        } catch (IOException e) {
            return new Finding(
                    "space for runs", State.MISSING, "cannot write in %s; choose another folder".formatted(folder));
        }
    }

    /// Adds a finding if there are runs in the folder.
    private Optional<ScrubReport> scrubbed(List<Finding> findings) {
        String what = "scrubbing";
        try {
            Optional<ScrubReport> report = ScrubbedRuns.in(run.toAbsolutePath().normalize());
            report.ifPresent(found -> findings.add(new Finding(
                    what,
                    found.damaged().isEmpty() ? State.GOOD : State.NOTE,
                    new ScrubText(found).text(Clock.system().now())
                            + (found.damaged().isEmpty() ? "" : "; 'cairn repair RUN' moves it away"))));
            return report;
        } catch (IOException e) {
            findings.add(new Finding(what, State.NOTE, String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private static Finding engine(Engine engine) {
        String what = "engine " + engine.name();
        try {
            return new Finding(what, State.GOOD, engine.describe());
        } catch (EngineUnavailableException e) {
            return new Finding(what, State.MISSING, String.valueOf(e.getMessage()));
        }
    }

    private Finding data(String name) {
        DataPlaces places = dataFolder.places(spec);
        String what = "data " + name;
        try {
            return DataSets.find(name, places)
                    .map(folder ->
                            new Finding(what, State.GOOD, folder.normalize().toString()))
                    .orElseGet(() -> new Finding(
                            what,
                            State.NOTE,
                            "not present; will be downloaded to %s on first use".formatted(places.downloads())));
        } catch (IOException e) {
            return new Finding(what, State.NOTE, String.valueOf(e.getMessage()));
        }
    }

    private void print(List<Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        int width = findings.stream()
                .mapToInt(finding -> finding.what().length())
                .max()
                .orElse(0);
        for (Finding finding : findings) {
            String head = ("%-7s  %-" + width + "s  ").formatted(finding.state().label(), finding.what());
            Prose.print(out, head, finding.text());
        }
        out.flush();
    }

    private static ObjectNode document(List<Finding> findings, Optional<ScrubReport> scrubbed) {
        ObjectNode document = Json.object();
        ArrayNode all = document.putArray("findings");
        findings.forEach(finding -> all.addObject()
                .put("what", finding.what())
                .put("state", finding.state().label())
                .put("text", finding.text()));
        scrubbed.ifPresent(report -> new ScrubText(report).putInto(document));
        return document;
    }
}
