package dev.cairn.app.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Table;
import dev.cairn.cluster.job.JobFile;
import dev.cairn.cluster.job.JobProcess;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn ps`.
@Command(
        name = "ps",
        description =
                "Lists the processes that train a run: those of a 'cairn train --workers' on this host. If it has "
                        + "several hosts, the first one knows all.",
        footer = {
            "",
            "name   supervisor: starts and replaces the others. w0, w1: workers, which train;",
            "       w0 also saves. s3: a spare process, which waits to replace a worker.",
            "step   the last finished step, at most a second old.",
            "state  starting, ready, training, recovering: waits for the others after one",
            "       died. gone: ended, and not replaced yet.",
            "",
            "Examples:",
            "  cairn ps runs/team",
            "  cairn ps runs/team --json"
        })
public final class PsCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "RUN", description = "The run's folder.")
    private RunLocation run;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    PsCommand() {}

    @Override
    public Integer call() throws IOException {
        Optional<JobFile.Content> job = new JobFile(folder()).read().filter(PsCommand::isAlive);
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            Json.print(out, json(job));
        } else if (job.isEmpty()) {
            Prose.print(out, "no process trains %s with 'cairn train --workers' now".formatted(run));
        } else {
            print(out, job.get().processes());
        }
        out.flush();
        return ExitCode.DONE;
    }

    private Path folder() {
        if (!(run instanceof RunLocation.Folder(Path folder))) {
            throw new ParameterException(
                    spec.commandLine(), "'ps' reads runs in folders; use the tools of the host for " + run);
        }
        if (!Files.isDirectory(folder)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "there is no folder %s: its training has not begun yet, or the run has another name; 'cairn ls DIR' lists the runs in DIR"
                            .formatted(folder));
        }
        return folder;
    }

    /// A job that was killed leaves its file behind.
    private static boolean isAlive(JobFile.Content job) {
        return job.processes().stream().anyMatch(process -> process.alive().isPresent());
    }

    private static void print(PrintWriter out, List<JobProcess> processes) {
        if (processes.stream().anyMatch(JobProcess::isElsewhere)) {
            printHosts(out, processes);
            return;
        }
        Table table = Table.columns()
                .word("name")
                .figure("pid")
                .figure("step")
                .word("state")
                .build();
        for (JobProcess process : processes) {
            table.add(process.name(), process.pid(), "%,d".formatted(process.step()), state(process));
        }
        table.print(out);
    }

    private static void printHosts(PrintWriter out, List<JobProcess> processes) {
        Table table = Table.columns()
                .word("name")
                .word("host")
                .figure("pid")
                .figure("step")
                .word("state")
                .build();
        for (JobProcess process : processes) {
            String host = process.host();
            table.add(
                    process.name(),
                    host == null ? "this one" : host,
                    process.pid(),
                    "%,d".formatted(process.step()),
                    state(process));
        }
        table.print(out);
    }

    /// Of a process on another host, the supervisor knows it.
    private static String state(JobProcess process) {
        return process.isElsewhere() || process.alive().isPresent() ? process.state() : "gone";
    }

    private static ObjectNode json(Optional<JobFile.Content> job) {
        ObjectNode document = Json.object();
        ArrayNode processes = document.putArray("processes");
        job.ifPresent(content -> content.processes().forEach(process -> {
            ObjectNode each = processes.addObject().put("name", process.name()).put("role", process.role());
            if (process.rank() < 0) {
                each.putNull("rank");
            } else {
                each.put("rank", process.rank());
            }
            String host = process.host();
            each.put("host", host == null ? content.host() : host)
                    .put("pid", process.pid())
                    .put("step", process.step())
                    .put("state", state(process));
        }));
        return document;
    }
}
