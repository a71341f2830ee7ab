package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trainings by several real processes, which are killed, stopped and told to end. They end in the bits of an
/// undisturbed training by the same number of workers.
class TeamTest {
    private static final long STEPS = 1200;

    /// Of the usual batch, for one of two workers.
    private static final long SHARE = 50;

    @TempDir
    Path folder;

    private static @Nullable ObjectNode undisturbed;

    @Test
    void killedWorkersAreReplacedAndNoFinishedStepIsLost() throws Exception {
        try (ChildProcess job = start("killed", 2, 1, STEPS)) {
            job.awaitLine("step 60");
            kill(worker("killed", 1));
            Eventually.holds("the place is taken", () -> job.err().contains("workers train together again"));
            kill(worker("killed", 0)); // the leader, which saves
            ObjectNode killed = result(job);
            assertThat(killed.path("weightsSha256")).isEqualTo(undisturbed().path("weightsSha256"));
            assertThat(killed.path("bestAccuracy")).isEqualTo(undisturbed().path("bestAccuracy"));
            assertThat(killed.path("failures")).hasSize(2).allSatisfy(failure -> {
                assertThat(failure.path("from").asText()).isEqualTo("peer");
                assertThat(failure.path("cause").asText()).isEqualTo("died");
                assertThat(failure.path("stepsLost").asLong()).isZero();
                assertThat(failure.path("recoveredSeconds").asDouble()).isPositive();
            });
            assertToldByTheWorkers(killed);
            assertThat(job.err()).as("the next leader goes on").doesNotContain("resumed from");
        }
        assertThat(Cli.run("verify", folder.resolve("killed").toString()).code())
                .isZero();
        assertThat(Cli.run("ps", folder.resolve("killed").toString()).out()).startsWith("no process trains");
    }

    /// What a worker did in its last fifth of a second before it died is not known.
    private void assertToldByTheWorkers(ObjectNode killed) {
        assertThat(killed.path("perWorker")).hasSize(2).allSatisfy(worker -> {
            assertThat(worker.path("steps").asLong()).isBetween(1L, STEPS);
            assertThat(worker.path("examples").asLong())
                    .isEqualTo(SHARE * worker.path("steps").asLong());
            assertThat(worker.path("waitSeconds").asDouble())
                    .isPositive()
                    .isLessThan(worker.path("seconds").asDouble());
            // Each of two sends half of the gradients to the other, and then half of the sums. The bytes that were sent
            // right before the other one died are not known.
            double gradients = 7850.0 * Float.BYTES * worker.path("steps").asLong();
            assertThat(worker.path("sentBytes").asDouble()).isBetween(gradients / 4, 2 * gradients);
        });
        var events = Cli.run("show", folder.resolve("killed").toString(), "--workers", "--json")
                .json();
        // What the leader heard right before it was killed may be lost.
        assertThat(events.path("failures"))
                .isNotEmpty()
                .allSatisfy(
                        failure -> assertThat(failure.path("source").asText()).isEqualTo("peer"));
        assertThat(events.path("perWorker").path(1).path("receivedBytes"))
                .isEqualTo(killed.path("perWorker").path(1).path("receivedBytes"));
    }

    @Test
    void theDemonstrationKillsAWorkerAndEndsInTheSameBits() {
        Cli demo = Cli.run("demo", "--workers", "2", "--steps", "60", "--json");
        assertThat(demo.code()).as(demo.err()).isZero();
        var shown = demo.json();
        assertThat(shown.path("identical").asBoolean()).isTrue();
        assertThat(shown.path("stepsLost").asLong(-1)).isZero();
        assertThat(shown.path("from").asText()).isEqualTo("peer");
        assertThat(shown.path("killedWorker").asText()).matches("w[01]");
        assertThat(shown.path("killedAtStep").asLong()).isBetween(14L, 60L);
    }

    /// Computes the same as one process, except for roundings: a lost, doubled or wrongly weighted example would show.
    @Test
    void withoutSparesTheOthersGoOnAtOnceAndTheirNumberGrowsAgain() throws Exception {
        ObjectNode elastic;
        try (ChildProcess job = start("elastic", 3, 0, 1_000_000)) {
            job.awaitLine("step 100");
            kill(worker("elastic", 0)); // another worker leads from now on, with the state that it has
            Eventually.holds("two go on", () -> job.err().contains("2 of 3 workers go on from step"));
            Eventually.holds("three train again", () -> job.err().contains("3 of 3 workers train together from step"));
            long grown = lastStep(job);
            job.awaitLine("step " + (grown + 100));
            signal(worker("elastic", 2), "TERM");
            assertThat(job.end()).isEqualTo(75);
            elastic = Json.parse(job.out().lines().toList().getLast());
            assertThat(elastic.path("failures").path(0).path("stepsLost").asLong(-1))
                    .isZero();
        }
        long steps = elastic.path("step").asLong();
        try (ChildProcess alone = start("alone", 1, 0, steps)) {
            ObjectNode whole = result(alone);
            assertThat(elastic.path("epoch")).isEqualTo(whole.path("epoch"));
            assertThat(elastic.path("loss").asDouble())
                    .isCloseTo(whole.path("loss").asDouble(), withinPercentage(1));
        }
    }

    @Test
    void optionsForSeveralWorkersAreRefusedForOne() {
        for (String option : List.of("--spares=1", "--silence=9s", "--min-workers=1", "--spare-wait=9s")) {
            Cli refused =
                    Cli.run("train", "lr", "--run", folder.resolve("refused").toString(), option);
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("is for several workers; also give --workers");
        }
        Cli absent = Cli.run("ps", folder.resolve("absent").toString());
        assertThat(absent.code()).isEqualTo(2);
        assertThat(absent.err()).contains("has not begun yet", "cairn ls DIR");
    }

    @Test
    void anyProcessMayBeToldToStopOrTheFirstOneKilledAndTheSameCommandGoesOn() throws Exception {
        long reached;
        try (ChildProcess job = start("stopped", 2, 0, STEPS)) {
            job.awaitLine("step 40");
            signal(worker("stopped", 1), "TERM");
            assertThat(job.end()).isEqualTo(75);
            reached = lastStep(job);
            assertThat(newestStep("stopped"))
                    .as("all stop after the same step, which is saved")
                    .isEqualTo(reached);
        }
        try (ChildProcess job = start("stopped", 2, 0, STEPS)) {
            job.awaitLine("step " + (reached + 40));
            List<ProcessHandle> members = List.of(worker("stopped", 0), worker("stopped", 1));
            job.kill();
            Eventually.holds(
                    "the workers end by themselves", () -> members.stream().noneMatch(ProcessHandle::isAlive));
            reached = newestStep("stopped");
            assertThat(reached).as("no finished step is lost").isGreaterThanOrEqualTo(lastStep(job));
        }
        try (ChildProcess job = start("stopped", 2, 0, STEPS)) {
            ObjectNode ended = result(job);
            assertThat(ended.path("resumedFromStep").asLong()).isEqualTo(reached);
            assertThat(ended.path("weightsSha256")).isEqualTo(undisturbed().path("weightsSha256"));
        }
    }

    /// Workers, the leader, spares and all at once are killed; a worker is stopped, so that only its silence tells.
    @Test
    @Tag("crash")
    void survivesThirtyKills() throws Exception {
        long seed = 20261119;
        var random = new Random(seed);
        long steps = 3000;
        ObjectNode whole;
        try (ChildProcess job = start("undisturbed", 3, 0, steps)) {
            whole = result(job);
        }
        try (ChildProcess job = start("killed", 3, 1, steps)) {
            for (int kill = 1; kill <= 30; kill++) {
                job.awaitLine("step " + kill * 90);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
                List<ProcessHandle> members =
                        ProcessHandle.of(job.pid()).orElseThrow().children().toList();
                ProcessHandle victim = members.get(random.nextInt(members.size()));
                switch (kill % 10) {
                    case 3 -> signal(victim, "STOP");
                    case 6 -> members.forEach(ProcessHandle::destroyForcibly);
                    default -> kill(victim);
                }
            }
            ObjectNode killed = result(job);
            assertThat(killed.path("weightsSha256")).as("seed %d", seed).isEqualTo(whole.path("weightsSha256"));
        }
        assertThat(Cli.run("verify", folder.resolve("killed").toString()).code())
                .isZero();
    }

    /// The result of two workers that nothing happened to. Trained once for all tests.
    private ObjectNode undisturbed() throws IOException {
        if (undisturbed == null) {
            try (ChildProcess job = start("undisturbed", 2, 0, STEPS)) {
                undisturbed = result(job);
            }
        }
        return undisturbed;
    }

    private static ObjectNode result(ChildProcess job) throws IOException {
        assertThat(job.end()).as(job.err()).isZero();
        return Json.parse(job.out().lines().toList().getLast());
    }

    private static long lastStep(ChildProcess job) throws IOException {
        return job.out()
                .lines()
                .filter(line -> line.startsWith("step "))
                .mapToLong(line -> Long.parseLong(line.substring("step ".length())))
                .max()
                .orElseThrow();
    }

    private long newestStep(String run) {
        var list =
                Cli.run("ls", folder.resolve(run).toString(), "--json").json().path("checkpoints");
        return list.path(list.size() - 1).path("step").asLong();
    }

    /// The worker of this rank, as `ps` tells.
    private ProcessHandle worker(String run, int rank) {
        return Eventually.get("worker " + rank, () -> {
            Cli told = Cli.run("ps", folder.resolve(run).toString(), "--json");
            for (var process : told.json().path("processes")) {
                if (process.path("name").asText().equals("w" + rank)
                        && process.path("state").asText().equals("training")) {
                    return ProcessHandle.of(process.path("pid").asLong());
                }
            }
            return Optional.empty();
        });
    }

    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
    }

    private static void signal(ProcessHandle process, String signal) throws IOException {
        Command.of("kill", "-" + signal, Long.toString(process.pid())).succeed();
    }

    private ChildProcess start(String run, int workers, int spares, long steps) throws IOException {
        var arguments = new ArrayList<>(
                List.of("train", "lr", "--run", folder.resolve(run).toString(), "--workers"));
        arguments.addAll(List.of(Integer.toString(workers), "--steps", Long.toString(steps), "--threads", "1"));
        if (workers > 1) {
            arguments.addAll(List.of("--spares", Integer.toString(spares)));
        }
        arguments.addAll(List.of("--every", "50", "--optimizer", "adam", "--trace-steps", "--json"));
        return Command.java(List.of("--enable-native-access=ALL-UNNAMED"), Main.class, arguments.toArray(String[]::new))
                .start();
    }
}
