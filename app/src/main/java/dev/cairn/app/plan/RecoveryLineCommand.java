package dev.cairn.app.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Svg;
import dev.cairn.plan.recovery.Rollback;
import dev.cairn.plan.recovery.States;
import dev.cairn.plan.recovery.States.Found;
import dev.cairn.plan.recovery.States.Kind;
import dev.cairn.plan.recovery.Trace;
import dev.cairn.train.uncoordinated.JobRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn recovery-line`.
@Command(
        name = "recovery-line",
        description =
                "Finds out which checkpoints of processes that send each other messages belong together, and how far "
                        + "back a failure takes each process.",
        footer = {
            "",
            "A trace lists the events of each process in order. A process P starts from an",
            "implied checkpoint 'P#0':",
            "  {\"processes\": {\"P\": [\"send m1\", \"checkpoint CP1\"], \"Q\": [\"receive m1\"]}}",
            "A state is consistent if, for every delivery that it records, it also records",
            "the send. It is a recovery line if, in addition, no message is in transit.",
        })
public final class RecoveryLineCommand implements Callable<Integer> {
    /// The maximum number of states to list: nobody reads more.
    private static final int MOST_LISTED = 10_000;

    private static final int MOST_PRINTED = 20;

    /// States of traces with more messages are not listed: there are too many.
    private static final int MOST_MESSAGES_LISTED = 2_000;

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "TRACE|RUN",
            description = "A JSON file with the events of each process, or the folder of a training with "
                    + "--coordination none.")
    private Path file;

    @Option(
            names = "--failed",
            paramLabel = "P[@CHECKPOINT]",
            description = "The process that fails, at its end or right after the given checkpoint.")
    private @Nullable String failed;

    @Option(
            names = "--processes",
            paramLabel = "A,B,...",
            hideParamSyntax = true,
            split = ",",
            description =
                    "List only states and lines of these processes. No message may cross them, nor go between these "
                            + "processes and others.")
    private List<String> processes = List.of();

    @Option(names = "--with-initial", description = "Also list states with processes at their start.")
    private boolean withInitial;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Draw processes, checkpoints, messages and the line into this file.")
    private @Nullable Path svg;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    RecoveryLineCommand() {}

    @Override
    public Integer call() throws IOException {
        try {
            Trace trace = JobRecords.areIn(file) ? JobRecords.in(file).trace() : TraceFile.read(file);
            BitSet members = members(trace);
            int[] latest = Rollback.from(trace, newest(trace));
            boolean listed = trace.messageCount() <= MOST_MESSAGES_LISTED;
            Found none = new Found(List.of(), false);
            Found consistent = listed ? States.of(trace, Kind.CONSISTENT, members, withInitial, MOST_LISTED) : none;
            Found lines = listed ? States.of(trace, Kind.RECOVERY_LINE, members, withInitial, MOST_LISTED) : none;
            if (svg != null && Files.exists(svg) && Files.isSameFile(svg, file)) {
                throw new IllegalArgumentException("--svg would replace the trace; choose another file");
            }
            if (svg != null) {
                Svg.write(svg, new SpaceTimeDiagram(trace, latest).svg());
            }
            PrintWriter out = spec.commandLine().getOut();
            if (common.json) {
                printJson(out, trace, members, latest, consistent, lines);
            } else {
                printText(out, trace, members, latest, consistent, lines);
            }
            return ExitCode.DONE;
        } catch (IllegalArgumentException impossible) {
            throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(impossible.getMessage()));
        }
    }

    /// The newest checkpoint from which each process could restart.
    private int[] newest(Trace trace) {
        int[] newest = Rollback.newest(trace);
        if (failed == null) {
            return newest;
        }
        int at = trace.indexOf(failed) < 0 ? failed.lastIndexOf('@') : -1; // a name may itself contain an @
        int process = process(trace, at < 0 ? failed : failed.substring(0, at));
        if (at >= 0) {
            String checkpoint = failed.substring(at + 1);
            int number = checkpoint.equals(trace.name(process, 0))
                    ? 0
                    : trace.checkpoints(process).indexOf(checkpoint) + 1;
            if (number == 0 && !checkpoint.equals(trace.name(process, 0))) {
                throw new IllegalArgumentException("process '%s' has no checkpoint '%s'; it has %s"
                        .formatted(
                                trace.processes().get(process),
                                checkpoint,
                                String.join(", ", trace.checkpoints(process))));
            }
            newest[process] = number;
        }
        return newest;
    }

    private static int process(Trace trace, String name) {
        int process = trace.indexOf(name);
        if (process < 0) {
            String known = trace.processes().stream().limit(20).collect(Collectors.joining(", "));
            throw new IllegalArgumentException("the trace has no process '%s'; it has %s".formatted(name, known));
        }
        return process;
    }

    private BitSet members(Trace trace) {
        var members = new BitSet();
        if (processes.isEmpty()) {
            members.set(0, trace.processes().size());
        }
        processes.forEach(name -> members.set(process(trace, name.strip())));
        return members;
    }

    private static void printJson(
            PrintWriter out, Trace trace, BitSet members, int[] latest, Found consistent, Found lines) {
        ObjectNode document = Json.object();
        var states = document.putArray("consistent");
        consistent.states().forEach(state -> put(states.addObject(), trace, members, state));
        var all = document.putArray("lines");
        lines.states().forEach(state -> put(all.addObject(), trace, members, state));
        document.put("complete", consistent.complete() && lines.complete());
        var everyone = new BitSet();
        everyone.set(0, trace.processes().size());
        put(document.putObject("latest"), trace, everyone, latest);
        ObjectNode rollback = document.putObject("rollback");
        int[] undone = Rollback.undone(trace, latest);
        for (int process = 0; process < undone.length; process++) {
            rollback.put(trace.processes().get(process), undone[process]);
        }
        document.put("domino", Rollback.isDomino(trace, latest));
        Json.print(out, document);
    }

    private static void put(ObjectNode object, Trace trace, BitSet members, int[] state) {
        members.stream()
                .forEach(process -> object.put(trace.processes().get(process), trace.name(process, state[process])));
    }

    private void printText(PrintWriter out, Trace trace, BitSet members, int[] latest, Found consistent, Found lines) {
        int processCount = trace.processes().size();
        out.printf(
                "%d %s, %s%n",
                processCount,
                processCount == 1 ? "process" : "processes",
                Quantities.count(trace.messageCount(), "message"));
        print(out, "consistent state", trace, members, consistent);
        print(out, "recovery line", trace, members, lines);
        int[] undone = Rollback.undone(trace, latest);
        out.printf("latest consistent state%s:%n", failed == null ? "" : " after the failure of " + failed);
        int back = 0;
        for (int process = 0; process < latest.length; process++) {
            back += undone[process] > 0 ? 1 : 0;
            if (process < MOST_PRINTED) {
                out.printf(
                        "  %-12s %-12s %s%n",
                        trace.processes().get(process),
                        trace.name(process, latest[process]),
                        undone[process] == 0
                                ? "its newest"
                                : Quantities.count(undone[process], "checkpoint") + " undone");
            }
        }
        if (latest.length > MOST_PRINTED) {
            out.printf("  and %d more (--json lists all)%n", latest.length - MOST_PRINTED);
        }
        out.printf("%d of %d processes go back%n", back, latest.length);
        if (Rollback.isDomino(trace, latest)) {
            out.println("domino effect: every process goes back to its start");
        }
    }

    private void print(PrintWriter out, String what, Trace trace, BitSet members, Found found) {
        if (!found.complete() && found.states().isEmpty()) {
            out.println(what + "s: too many to list");
            return;
        }
        if (found.states().isEmpty() && !withInitial) {
            Prose.print(
                    out, "0 %ss in which every process has a checkpoint (--with-initial lists others)".formatted(what));
            return;
        }
        out.printf(
                "%s%s%n",
                Quantities.count(found.states().size(), what), found.complete() ? "" : " found, and there are more");
        found.states().stream()
                .limit(MOST_PRINTED)
                .forEach(state -> out.println(members.stream()
                        .mapToObj(process -> trace.name(process, state[process]))
                        .collect(Collectors.joining(", ", "  {", "}"))));
        if (found.states().size() > MOST_PRINTED) {
            out.printf("  and %d more (--json lists all)%n", found.states().size() - MOST_PRINTED);
        }
    }
}
