package dev.cairn.app.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.bench.StoredSize;
import dev.cairn.cluster.job.JobFile;
import dev.cairn.cluster.job.JobProcess;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/// Trains with several workers twice: undisturbed, and with one of them killed while a spare process waits.
///
/// @param disturbed the result of the training of which a worker was killed
/// @param failure what that training told about it
record TeamDemo(
        int workers, long steps, ObjectNode undisturbed, ObjectNode disturbed, JsonNode failure, Kept checkpoints) {
    /// Steps at the end in which nobody is killed: the training must not end before.
    private static final int LAST = 5;

    /// What the disturbed run has at its end.
    ///
    /// @param newestBytes the size of the newest checkpoint, with its record
    private record Kept(List<Commit> all, long newestBytes) {}

    static TeamDemo of(Stage stage, List<String> settings, int workers, Path work) throws IOException {
        List<String> team = Stream.concat(settings.stream(), Stream.of("--workers", Integer.toString(workers)))
                .toList();
        stage.terminal().line("1/2  training %d steps with %d workers undisturbed".formatted(stage.steps(), workers));
        ObjectNode undisturbed;
        try (var process = stage.start(with(team, "0"), work.resolve("undisturbed"))) {
            undisturbed = process.watchToEnd(stage::showStep);
            stage.terminal().progressDone();
        }

        Path run = work.resolve("killed");
        int rank = ThreadLocalRandom.current().nextInt(workers);
        long killAt = ThreadLocalRandom.current().nextLong(stage.steps() / 4, stage.steps() / 2);
        stage.terminal()
                .line(
                        "2/2  the same again with a spare process; w%d is killed with SIGKILL from step %d on, when that is ready"
                                .formatted(rank, killAt));
        try (var process = stage.start(with(team, "1"), run)) {
            kill(stage, process, new JobFile(run), rank, killAt);
            ObjectNode disturbed = process.watchToEnd(stage::showStep);
            stage.terminal().progressDone();
            JsonNode failure = disturbed.path("failures").path(0);
            if (failure.isMissingNode()) {
                throw new IOException(
                        "the training did not notice that a worker was killed; its messages are in " + stage.log());
            }
            List<Commit> all = Stage.checkpoints(run);
            var kept = new Kept(all, StoredSize.of(run, all.getLast()));
            return new TeamDemo(workers, stage.steps(), undisturbed, disturbed, failure, kept);
        }
    }

    private static List<String> with(List<String> settings, String spares) {
        return Stream.concat(settings.stream(), Stream.of("--spares", spares)).toList();
    }

    /// Kills the worker when this step is made and the spare process is ready, or just before the end.
    private static void kill(Stage stage, TrainingProcess process, JobFile job, int rank, long killAt)
            throws IOException {
        Optional<ProcessHandle> victim = Optional.empty();
        for (long step = killAt; victim.isEmpty(); step = process.lastStep() + 1) {
            if (!process.watchUntil(step, stage::showStep)) {
                throw new IOException(
                        "the training ended before a worker could be killed; its messages are in " + stage.log());
            }
            List<JobProcess> processes =
                    job.read().map(JobFile.Content::processes).orElse(List.of());
            boolean ready = processes.stream()
                    .anyMatch(
                            each -> each.role().equals("spare") && each.state().equals("ready"));
            if (ready || process.lastStep() >= stage.steps() - LAST) {
                victim = processes.stream()
                        .filter(each -> each.rank() == rank)
                        .findFirst()
                        .flatMap(JobProcess::alive);
            }
        }
        victim.get().destroyForcibly();
    }

    boolean isIdentical() {
        return weights(undisturbed).equals(weights(disturbed));
    }

    private static String weights(ObjectNode result) {
        return result.path("weightsSha256").asText();
    }

    private long stepsLost() {
        return failure.path("stepsLost").asLong();
    }

    void print(PrintWriter out) {
        out.println();
        row(
                out,
                "killed",
                "%s of %d workers, after step %d of %d"
                        .formatted(
                                failure.path("who").asText(),
                                workers,
                                failure.path("step").asLong(),
                                steps));
        row(
                out,
                "noticed within",
                Quantities.seconds(failure.path("detectedSeconds").asDouble()) + " of its last sign of life");
        row(
                out,
                "recovery time",
                "%s until %d workers trained together again; the state came from %s"
                        .formatted(
                                Quantities.seconds(
                                        failure.path("recoveredSeconds").asDouble()),
                                workers,
                                failure.path("from").asText().equals("peer")
                                        ? "another worker"
                                        : "the last checkpoint"));
        row(out, "steps lost", Long.toString(stepsLost()));
        row(
                out,
                "checkpoint size",
                "%s, of %s in memory"
                        .formatted(
                                Quantities.bytes(checkpoints.newestBytes()),
                                Quantities.bytes(checkpoints.all().getLast().fullBytes())));
        row(out, "final accuracy", Quantities.percent(disturbed.path("accuracy").asDouble()));
        row(out, "identical", isIdentical() ? "yes" : "NO: the final weights differ");
        out.flush();
    }

    private static void row(PrintWriter out, String name, String value) {
        Prose.print(out, "  %-24s".formatted(name), value);
    }

    ObjectNode document() {
        ObjectNode document = Json.object()
                .put("identical", isIdentical())
                .put("workers", workers)
                .put("kills", 1)
                .put("killedWorker", failure.path("who").asText())
                .put("stepsTotal", steps)
                .put("killedAtStep", failure.path("step").asLong())
                .put("stepsLost", stepsLost())
                .put("from", failure.path("from").asText())
                .put("detectedSeconds", failure.path("detectedSeconds").asDouble())
                .put("recoverySeconds", failure.path("recoveredSeconds").asDouble());
        return document.put("checkpoints", checkpoints.all().size())
                .put("checkpointBytes", checkpoints.newestBytes())
                .put("fullBytes", checkpoints.all().getLast().fullBytes())
                .put("stallSeconds", undisturbed.path("stallSeconds").asDouble())
                .put("accuracy", disturbed.path("accuracy").asDouble())
                .put("weightsSha256", weights(disturbed));
    }
}
