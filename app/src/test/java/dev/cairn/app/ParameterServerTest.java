package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Trainings with a parameter server in a process of its own, whose workers and server are killed and told to stop.
class ParameterServerTest {
    private static final long STEPS = 400;

    @TempDir
    Path folder;

    @Test
    void aKilledWorkerAndAKilledServerChangeNoBitOfTheResult() throws Exception {
        ObjectNode whole;
        try (ChildProcess job = start("undisturbed", 2, STEPS)) {
            whole = result(job);
            assertThat(whole.path("mode").asText()).isEqualTo("ps-sync");
            assertThat(whole.path("largestStaleness").asLong()).isZero();
            assertThat(whole.path("perWorker"))
                    .hasSize(2)
                    .allSatisfy(
                            worker -> assertThat(worker.path("steps").asLong()).isEqualTo(STEPS));
        }
        long reached;
        try (ChildProcess job = start("killed", 2, STEPS)) {
            job.awaitLine("step 60");
            member("killed", "w1").destroyForcibly();
            job.awaitLine("step 130");
            member("killed", "ps0").destroyForcibly();
            Eventually.holds("it restores", () -> job.err().contains("the last checkpoint"));
            job.awaitLine("step 190");
            signal(member("killed", "w0"), "TERM");
            assertThat(job.end()).as(job.err()).isEqualTo(75);
            ObjectNode stopped = Json.parse(job.out().lines().toList().getLast());
            reached = stopped.path("step").asLong();
            assertThat(stopped.path("failures")).hasSize(2);
            assertThat(stopped.path("failures").path(0).path("who").asText()).isEqualTo("w1");
            assertThat(stopped.path("failures").path(0).path("stepsLost").asLong(-1))
                    .as("the server has the state")
                    .isZero();
            assertThat(stopped.path("failures").path(1).path("who").asText()).isEqualTo("ps0");
        }
        try (ChildProcess job = start("killed", 2, STEPS)) {
            ObjectNode ended = result(job);
            assertThat(ended.path("resumedFromStep").asLong()).isEqualTo(reached);
            assertThat(ended.path("weightsSha256")).isEqualTo(whole.path("weightsSha256"));
            assertThat(ended.path("bestAccuracy")).isEqualTo(whole.path("bestAccuracy"));
        }
        assertThat(Cli.run("verify", folder.resolve("killed").toString()).code())
                .isZero();
    }

    @Test
    void aServerWithAPartOfTheWeightsMayDie() throws Exception {
        String whole;
        try (ChildProcess job = start("one", 1, 120)) {
            whole = result(job).path("weightsSha256").asText();
        }
        try (ChildProcess job = start("two", 1, 120, "--ps", "2")) {
            job.awaitLine("step 60");
            member("two", "ps1").destroyForcibly();
            ObjectNode ended = result(job);
            assertThat(ended.path("failures").findValuesAsText("who")).contains("ps1");
            assertThat(ended.path("weightsSha256").asText()).isEqualTo(whole);
        }
    }

    /// Another number of servers changes no bit, also when a run goes on with it.
    @Test
    @Tag("crash")
    void twoServersShareTheWeightsAndEitherMayDie() throws Exception {
        String whole;
        try (ChildProcess job = start("one", 2, STEPS)) {
            whole = result(job).path("weightsSha256").asText();
        }
        try (ChildProcess job = start("two", 2, STEPS, "--ps", "2")) {
            job.awaitLine("step 60");
            member("two", "ps1").destroyForcibly();
            Eventually.holds("it restores", () -> job.err().contains("the last checkpoint"));
            job.awaitLine("step 130");
            member("two", "w1").destroyForcibly();
            job.awaitLine("step 180");
            signal(ProcessHandle.of(job.pid()).orElseThrow(), "TERM");
            assertThat(job.end()).as(job.err()).isEqualTo(75);
            ObjectNode stopped = Json.parse(job.out().lines().toList().getLast());
            assertThat(stopped.path("failures").findValuesAsText("who")).contains("ps1", "w1");
        }
        try (ChildProcess job = start("two", 2, STEPS - 50, "--ps", "1")) {
            assertThat(result(job).path("resumedFromStep").asLong()).isGreaterThanOrEqualTo(180);
        }
        try (ChildProcess job = start("two", 2, STEPS, "--ps", "3")) {
            assertThat(result(job).path("weightsSha256").asText()).isEqualTo(whole);
        }
    }

    /// The same batches as those of one process, except for rounding, although a worker dies.
    @Test
    void ratingsAreFactorizedAsByOneProcess() throws Exception {
        String run = folder.resolve("alone").toString();
        Cli alone = Cli.run("train", "mf", "--engine", "tensorflow", "--run", run, "--steps", "150", "--json");
        assertThat(alone.code()).as(alone.err()).isZero();
        try (ChildProcess job = start("mf", "ratings", 2, 150, "--batch", "500")) {
            job.awaitLine("step 60");
            member("ratings", "w1").destroyForcibly();
            ObjectNode ended = result(job);
            assertThat(ended.path("failures")).hasSize(1);
            assertThat(ended.path("rmse").asDouble())
                    .isCloseTo(alone.json().path("rmse").asDouble(), within(1e-4));
        }
    }

    @Test
    void theFirstGradientsAreEnoughAndTheOthersAreCounted() throws Exception {
        try (ChildProcess job = start("first", 2, 200, "--aggregate", "1")) {
            ObjectNode ended = result(job);
            assertThat(ended.path("step").asLong()).isEqualTo(200);
            assertThat(ended.path("staleGradients").asLong()).isPositive();
            assertThat(ended.path("accuracy").asDouble()).isGreaterThan(0.8);
        }
    }

    @Test
    @Tag("crash")
    void gradientsMayMakeUpdatesOfTheirOwn() throws Exception {
        try (ChildProcess job = start("free", 2, STEPS, "--mode", "ps-async")) {
            job.awaitLine("step 60");
            member("free", "w0").destroyForcibly();
            job.awaitLine("step 130");
            member("free", "ps0").destroyForcibly();
            ObjectNode ended = result(job);
            assertThat(ended.path("step").asLong()).isEqualTo(STEPS);
            assertThat(ended.path("failures")).hasSize(2);
            assertThat(ended.path("failures").path(0).path("stepsLost").asLong(-1))
                    .isZero();
            assertThat(ended.path("largestStaleness").asLong()).isPositive();
            assertThat(ended.path("accuracy").asDouble()).isGreaterThan(0.8);
        }
        try (ChildProcess job = start("goal", 2, 100_000, "--mode", "ps-async", "--until-loss", "0.3")) {
            ObjectNode ended = result(job);
            assertThat(ended.path("end").asText()).isEqualTo("goal");
            assertThat(ended.path("testLoss").asDouble()).isLessThan(0.3);
        }
    }

    /// Workers, the server and spare processes are killed; some are stopped, so that only their silence tells.
    @ParameterizedTest
    @ValueSource(strings = {"ps-sync", "ps-async"})
    @Tag("crash")
    void survivesThirtyKills(String mode) throws Exception {
        long seed = 20261119;
        var random = new Random(seed);
        long steps = 3000;
        ObjectNode whole;
        try (ChildProcess job = start("undisturbed", 2, steps, "--mode", mode)) {
            whole = result(job);
        }
        try (ChildProcess job = start("killed", 2, steps, "--mode", mode)) {
            for (int kill = 1; kill <= 30; kill++) {
                job.awaitLine("step " + kill * 90);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
                List<ProcessHandle> members =
                        ProcessHandle.of(job.pid()).orElseThrow().children().toList();
                ProcessHandle victim = members.get(random.nextInt(members.size()));
                switch (kill % 10) {
                    case 3 -> signal(victim, "STOP");
                    case 6 -> members.forEach(ProcessHandle::destroyForcibly);
                    default -> victim.destroyForcibly();
                }
            }
            ObjectNode killed = result(job);
            if (mode.equals("ps-sync")) {
                assertThat(killed.path("weightsSha256")).as("seed %d", seed).isEqualTo(whole.path("weightsSha256"));
            } else {
                assertThat(killed.path("accuracy").asDouble())
                        .as("seed %d", seed)
                        .isCloseTo(whole.path("accuracy").asDouble(), within(0.005));
                assertThat(killed.path("repeatedGradients").asLong()).isPositive();
            }
            assertThat(killed.path("failures")).isNotEmpty();
        }
        assertThat(Cli.run("verify", folder.resolve("killed").toString()).code())
                .isZero();
    }

    @Test
    void whatTheModeCannotDoIsRefused() {
        refused("--engine torch has no parameter server", "--mode", "ps-sync", "--engine", "torch");
        refused("--ps is for --mode ps-sync and ps-async", "--ps", "1");
        refused("--aggregate is for --mode ps-sync", "--aggregate", "1");
        refused("--aggregate must be from 1 to --workers 1", "--mode", "ps-sync", "--aggregate", "2");
        refused("--mode must be one of", "--mode", "ring");
        refused("--mode single has one process", "--mode", "single", "--workers", "2");
    }

    private void refused(String why, String... options) {
        var arguments = new ArrayList<>(
                List.of("train", "lr", "--run", folder.resolve("refused").toString()));
        arguments.addAll(List.of(options));
        Cli told = Cli.run(arguments.toArray(String[]::new));
        assertThat(told.code()).isEqualTo(2);
        assertThat(told.err()).contains(why);
    }

    private static ObjectNode result(ChildProcess job) throws IOException {
        assertThat(job.end()).as(job.err()).isZero();
        return Json.parse(job.out().lines().toList().getLast());
    }

    /// The process of this name, as `ps` tells.
    private ProcessHandle member(String run, String name) {
        return Eventually.get(name, () -> {
            Cli told = Cli.run("ps", folder.resolve(run).toString(), "--json");
            for (var process : told.json().path("processes")) {
                if (process.path("name").asText().equals(name)
                        && process.path("state").asText().equals("training")) {
                    return ProcessHandle.of(process.path("pid").asLong());
                }
            }
            return Optional.empty();
        });
    }

    private static void signal(ProcessHandle process, String signal) throws IOException {
        Command.of("kill", "-" + signal, Long.toString(process.pid())).succeed();
    }

    private ChildProcess start(String run, int workers, long steps, String... more) throws IOException {
        return start("lr", run, workers, steps, more);
    }

    private ChildProcess start(String workload, String run, int workers, long steps, String... more)
            throws IOException {
        var arguments = new ArrayList<>(List.of("train", workload, "--engine", "tensorflow", "--threads", "1"));
        arguments.addAll(List.of("--run", folder.resolve(run).toString(), "--workers", Integer.toString(workers)));
        arguments.addAll(List.of("--steps", Long.toString(steps), "--every", "50", "--optimizer", "adam"));
        arguments.addAll(List.of("--trace-steps", "--json"));
        if (!List.of(more).contains("--mode")) {
            arguments.addAll(List.of("--mode", "ps-sync"));
        }
        arguments.addAll(List.of(more));
        return Command.java(List.of("--enable-native-access=ALL-UNNAMED"), Main.class, arguments.toArray(String[]::new))
                .start();
    }
}
