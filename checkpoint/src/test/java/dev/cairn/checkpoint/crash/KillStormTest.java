package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes without an engine killed with SIGKILL at random instants: at the start, while restoring, in the middle of
/// saves. After each kill all that was ever committed is there and reads as it did, and nothing piles up.
class KillStormTest {
    private static final List<String> CODECS = List.of("lossless", "lossy", "lc:3", "full");
    private static final int KILLS_A_RUN = 10;
    private static final int LANES = 2;
    private static final int SIGKILLED = 128 + 9;
    private static final long LONGEST_WAIT_NANOS = 200_000_000;

    @TempDir
    Path folder;

    @Test
    void survivesAHundredKills() throws Exception {
        storm(100, 20261115);
    }

    @Test
    @Tag("crash")
    void survivesTwoThousandKills() throws Exception {
        storm(2000, 42);
    }

    private void storm(int kills, long seed) throws Exception {
        var runs = new ArrayList<Callable<StoreAudit>>();
        for (int run = 0; run < kills / KILLS_A_RUN; run++) {
            int number = run;
            runs.add(() -> killAgainAndAgain(number, seed));
        }
        int checkpoints = 0;
        int cutOff = 0;
        try (var lanes = Executors.newFixedThreadPool(LANES)) {
            for (Future<StoreAudit> run : lanes.invokeAll(runs)) {
                checkpoints += run.get().seen();
                cutOff += run.get().cutOff();
            }
        }
        assertThat(checkpoints).as("kills happened between saves").isGreaterThan(kills / 2);
        assertThat(cutOff).as("kills happened in the middle of saves").isGreaterThan(kills / 20);
    }

    /// One run of many lives.
    private StoreAudit killAgainAndAgain(int number, long seed) throws Exception {
        var random = new Random(seed + number);
        int weights = number % 10 == 4 ? 140_000 : 14_000 + random.nextInt(20_000);
        var plan = new CrashWorker.Plan(
                folder.resolve("run-" + number),
                folder.resolve("journal-" + number),
                CODECS.get(number % CODECS.size()),
                number,
                weights);
        var audit = new StoreAudit(plan);
        for (int kill = 1; kill <= KILLS_A_RUN; kill++) {
            String context = "seed %d, run %d, kill %d, %s".formatted(seed, number, kill, plan.codec());
            Process worker = start(plan);
            try {
                assertThat(liveAndDie(worker, random)).as(context).doesNotContain("WRONG", "Exception");
                assertThat(worker.exitValue())
                        .as("%s: killed, not ended", context)
                        .isEqualTo(SIGKILLED);
            } finally {
                worker.destroyForcibly();
            }
            audit.check(context);
        }
        audit.checkEverything("seed %d, run %d, in the end".formatted(seed, number));
        return audit;
    }

    /// Lets the worker restore and commit a few times, or not even that, then kills it; returns all it said.
    ///
    /// How long it lives is measured by what it did: by the clock, a busy machine would see all kills at the start.
    private static String liveAndDie(Process worker, Random random) throws IOException, InterruptedException {
        var said = new StringBuilder();
        try (BufferedReader output = worker.inputReader()) {
            long lineNanos = 0;
            if (random.nextInt(6) == 0) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(400));
            } else {
                int lines = 1 + random.nextInt(3);
                long start = System.nanoTime();
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    said.append(line).append('\n');
                    lineNanos = System.nanoTime() - start;
                    start = System.nanoTime();
                    if (--lines == 0) {
                        break;
                    }
                }
                TimeUnit.NANOSECONDS.sleep((long) (random.nextDouble() * Math.min(lineNanos, LONGEST_WAIT_NANOS)));
            }
            // Not by the process itself, which would close the output too.
            worker.toHandle().destroyForcibly();
            output.lines().forEach(line -> said.append(line).append('\n'));
        }
        worker.waitFor();
        return said.toString();
    }

    private static Process start(CrashWorker.Plan plan) throws IOException {
        // Flags for a short life.
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx128m",
                "-Dcairn.scalar=true",
                "-cp",
                System.getProperty("java.class.path"),
                CrashWorker.class.getName()));
        command.addAll(plan.asArguments());
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
