package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real training processes killed with SIGKILL at random instants: at the start, while restoring, between steps, in the
/// middle of a save. Nothing committed is ever lost, and the end is that of an undisturbed run, bit for bit.
class KillTest {
    private static final int STEPS_PER_KILL = 120;

    @TempDir
    Path folder;

    @Test
    void survivesFiveKills() throws Exception {
        killAgainAndAgain(5, 20261115);
    }

    @Test
    @Tag("crash")
    void survivesFiftyKills() throws Exception {
        killAgainAndAgain(50, 42);
    }

    private void killAgainAndAgain(int kills, long seed) throws Exception {
        var random = new Random(seed);
        long steps = (long) STEPS_PER_KILL * kills;
        ObjectNode undisturbed = start("undisturbed", steps).watchToEnd(step -> {});

        long committed = 0;
        for (int kill = 1; kill <= kills; kill++) {
            String context = "seed %d, kill %d".formatted(seed, kill);
            TrainingProcess process = start("killed", steps);
            if (random.nextInt(5) == 0) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1500));
            } else {
                long last = committed + 1 + random.nextInt(STEPS_PER_KILL);
                assertThat(process.watchUntil(committed + 1, step -> {}))
                        .as(context)
                        .isTrue();
                assertThat(process.lastStep())
                        .as("%s: resumed from the newest commit", context)
                        .isEqualTo(committed + 1);
                process.watchUntil(Math.min(last, steps - 1), step -> {});
                TimeUnit.MICROSECONDS.sleep(random.nextInt(4000));
            }
            process.kill();
            long newest = newestGoodStep();
            assertThat(newest).as("%s: nothing committed is lost", context).isGreaterThanOrEqualTo(committed);
            committed = newest;
        }
        ObjectNode resumed = start("killed", steps).watchToEnd(step -> {});
        assertThat(resumed.path("weightsSha256")).isEqualTo(undisturbed.path("weightsSha256"));
        assertThat(resumed.path("loss")).isEqualTo(undisturbed.path("loss"));
        assertThat(resumed.path("bestAccuracy")).isEqualTo(undisturbed.path("bestAccuracy"));
        assertThat(Cli.run("verify", folder.resolve("killed").toString()).code())
                .as("every byte of every checkpoint")
                .isZero();
        assertThat(committed).as("kills happened on the way, not before it").isPositive();
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

    private TrainingProcess start(String run, long steps) throws IOException {
        return TrainingProcess.start(
                folder.resolve("training.log"),
                List.of(
                        "lenet",
                        "--run",
                        folder.resolve(run).toString(),
                        "--steps",
                        Long.toString(steps),
                        "--batch",
                        "8",
                        "--threads",
                        "1",
                        "--every",
                        "3"));
    }
}
