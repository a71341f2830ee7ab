package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes without an engine killed with SIGKILL at random instants: at the start, while restoring, in the middle of
/// saves. After each kill all that was ever committed is there and reads as it did, and nothing piles up.
class KillStormTest {
    private static final List<String> CODECS = List.of("lossless", "lossy", "lc:3", "full");
    private static final int KILLS_A_RUN = 10;
    private static final int LANES = 2;

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
            try (var worker = WorkerProcess.start(plan)) {
                worker.live(random);
                assertThat(worker.kill()).as(context).doesNotContain("WRONG", "Exception");
                assertThat(worker.exitValue())
                        .as("%s: killed, not ended", context)
                        .isEqualTo(WorkerProcess.SIGKILLED);
            }
            audit.check(context);
        }
        audit.checkEverything("seed %d, run %d, in the end".formatted(seed, number));
        return audit;
    }
}
