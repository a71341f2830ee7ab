package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.demo.TrainingProcess;
import dev.cairn.observe.events.RunEvents;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Real training processes killed with SIGKILL at random instants: at the start, while restoring, between steps, in the
/// middle of an evaluation or a save. Nothing committed is ever lost, and the end is that of an undisturbed run, bit
/// for bit.
class KillTest {
    private static final List<String> LENET = List.of("lenet");

    @TempDir
    Path folder;

    @Test
    void survivesFiveKills() throws Exception {
        killAgainAndAgain(LENET, 5, 40, 20261115);
    }

    @Test
    @Tag("crash")
    void survivesFiftyKills() throws Exception {
        killAgainAndAgain(LENET, 50, 120, 42);
    }

    /// Some of those of the next test.
    @ParameterizedTest
    @CsvSource({"torch, mf, adam, 40", "tensorflow, lenet, adam, 20"})
    void survivesKillsWhateverIsTrained(String engine, String workload, String optimizer, int stepsPerKill)
            throws Exception {
        killAgainAndAgain(List.of(workload, "--engine", engine, "--optimizer", optimizer), 2, stepsPerKill, 7);
    }

    @ParameterizedTest
    @Tag("crash")
    @CsvSource({
        "torch, lr, sgd, 60", "torch, lr, momentum, 60", "torch, lr, adam, 60",
        "torch, lenet, sgd, 40", "torch, lenet, momentum, 40", "torch, lenet, adam, 40",
        "torch, mf, sgd, 60", "torch, mf, momentum, 60", "torch, mf, adam, 60",
        "torch, alexnet, sgd, 20", "torch, alexnet, momentum, 20", "torch, alexnet, adam, 20",
        "tensorflow, lr, sgd, 60", "tensorflow, lr, momentum, 60", "tensorflow, lr, adam, 60",
        "tensorflow, lenet, sgd, 40", "tensorflow, lenet, momentum, 40", "tensorflow, lenet, adam, 40",
        "tensorflow, mf, sgd, 60", "tensorflow, mf, momentum, 60", "tensorflow, mf, adam, 60",
        "tensorflow, alexnet, sgd, 20", "tensorflow, alexnet, momentum, 20", "tensorflow, alexnet, adam, 20"
    })
    void everyWorkloadEngineAndOptimizerSurvivesKills(
            String engine, String workload, String optimizer, int stepsPerKill) throws Exception {
        killAgainAndAgain(List.of(workload, "--engine", engine, "--optimizer", optimizer), 4, stepsPerKill, 11);
    }

    private void killAgainAndAgain(List<String> trained, int kills, int stepsPerKill, long seed) throws Exception {
        var random = new Random(seed);
        long steps = (long) stepsPerKill * kills;
        ObjectNode undisturbed = start(trained, "undisturbed", steps).watchToEnd(step -> {});

        long committed = 0;
        for (int kill = 1; kill <= kills; kill++) {
            String context = "seed %d, kill %d".formatted(seed, kill);
            TrainingProcess process = start(trained, "killed", steps);
            boolean isLast = kill == kills;
            if (random.nextInt(5) == 0 && !isLast) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1500));
            } else {
                long last = committed + 1 + random.nextInt(stepsPerKill) + (isLast ? stepsPerKill / 2 : 0);
                assertThat(process.watchUntil(committed + 1, step -> {}))
                        .as(context)
                        .isTrue();
                assertThat(process.lastStep())
                        .as("%s: resumed from the newest commit", context)
                        .isEqualTo(committed + 1);
                process.watchUntil(Math.min(last, steps - 1), step -> {});
                if (isLast && committed == 0) {
                    awaitCommit(process); // on a busy machine steps overtake the saves
                }
                TimeUnit.MICROSECONDS.sleep(random.nextInt(4000));
            }
            process.kill();
            long newest = newestGoodStep();
            assertThat(newest).as("%s: nothing committed is lost", context).isGreaterThanOrEqualTo(committed);
            committed = newest;
        }
        ObjectNode resumed = start(trained, "killed", steps).watchToEnd(step -> {});
        assertThat(resumed.path("weightsSha256")).isEqualTo(undisturbed.path("weightsSha256"));
        assertThat(resumed.path("loss")).isEqualTo(undisturbed.path("loss"));
        assertThat(resumed.path("bestAccuracy")).isEqualTo(undisturbed.path("bestAccuracy"));
        assertThat(resumed.path("bestRmse")).isEqualTo(undisturbed.path("bestRmse"));
        assertThat(Cli.run("verify", folder.resolve("killed").toString()).code())
                .as("every byte of every checkpoint")
                .isZero();
        assertThat(committed).as("kills happened on the way, not before it").isPositive();
        checkEvents(steps);
    }

    /// The events tell of each step once, in order. What a kill took from them is only what came right before it.
    private void checkEvents(long steps) throws IOException {
        var run = new RunEvents(new LocalBlobStore(folder.resolve("killed")));
        var resumed = new TreeSet<Long>();
        var attempts = new TreeMap<Long, Long>();
        var made = new ArrayList<Long>();
        run.current(event -> {
            if (event.kind().equals("started")) {
                resumed.add(event.step().orElseThrow());
            } else if (event.kind().equals("step")) {
                made.add(event.step().orElseThrow());
                attempts.put(event.step().orElseThrow(), event.attempt());
            }
        });
        assertThat(made).isSorted().doesNotHaveDuplicates().endsWith(steps);
        assertThat(List.copyOf(attempts.values()))
                .as("later steps are of later attempts")
                .isSorted();
        for (long step = 1; step < steps; step++) {
            if (!attempts.containsKey(step) && attempts.containsKey(step + 1)) {
                assertThat(resumed).as("a gap ends where an attempt began").contains(step);
            }
        }
    }

    /// Reads on, for a process whose output nobody reads stops, until there is a record, or the training is over.
    private void awaitCommit(TrainingProcess process) throws IOException {
        Path record = folder.resolve("killed/log/0000000001.rec");
        while (!Files.exists(record) && process.watchUntil(process.lastStep() + 1, step -> {})) {
            // The next look is after the next step.
        }
    }

    /// No checkpoint of the run is damaged, as far as `ls` reads; the step of the newest.
    private long newestGoodStep() {
        Path run = folder.resolve("killed");
        if (!run.resolve("log").toFile().isDirectory()) {
            return 0;
        }
        JsonNode list = Cli.run("ls", run.toString(), "--json").json().path("checkpoints");
        assertThat(list).extracting(node -> node.path("status").asText()).doesNotContain("damaged");
        return list.isEmpty() ? 0 : list.path(list.size() - 1).path("step").asLong();
    }

    private TrainingProcess start(List<String> trained, String run, long steps) throws IOException {
        var arguments = new ArrayList<>(trained);
        arguments.addAll(List.of("--run", folder.resolve(run).toString()));
        arguments.addAll(List.of("--steps", Long.toString(steps), "--threads", "1", "--every", "3"));
        if (!trained.contains("mf")) { // whose usual rates are too high for few ratings at a time
            arguments.addAll(List.of("--batch", "8"));
        }
        // Often enough that some kills come in its midst.
        arguments.addAll(List.of("--eval-every", trained.contains("alexnet") ? "10" : "7"));
        return TrainingProcess.start(folder.resolve("training.log"), arguments);
    }
}
