package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.crash.StoreAudit.Work;
import dev.cairn.testkit.ChildProcess;
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

/// Processes without an engine are killed with SIGKILL at random times: at the start, during a restore, in the middle
/// of saves, merges and removals. After each kill everything that must be kept exists and can be read as it was
/// committed, and leftovers do not accumulate.
class KillStormTest {
    private static final int KILLS_A_RUN = 10;
    private static final int LANES = 2;

    @TempDir
    Path folder;

    /// How one run saves, and what it keeps.
    private record Manner(String codec, String keep) {}

    private static final List<Manner> MANNERS = List.of(
            new Manner("lossless", "latest:1"),
            new Manner("lossy", "latest:2,every:7"),
            new Manner("full", "latest:2,best:2@score"),
            new Manner("lc:3", "atleast:3,best:1@score:min"),
            new Manner("lossless", "all"),
            new Manner("uq:0.05", "latest:1"),
            new Manner("lossless", "latest:3,every:5"));

    @Test
    void survivesFortyKills() throws Exception {
        storm(40, 20261115);
    }

    @Test
    @Tag("crash")
    void survivesTwoThousandKills() throws Exception {
        storm(Integer.getInteger("cairn.kills", 2000), 42);
    }

    /// The result of a run after its last kill.
    private record Outcome(StoreAudit audit, int cutRestores) {}

    private void storm(int kills, long seed) throws Exception {
        var runs = new ArrayList<Callable<Outcome>>();
        for (int run = 0; run < kills / KILLS_A_RUN; run++) {
            int number = run;
            runs.add(() -> killAgainAndAgain(number, seed));
        }
        int checkpoints = 0;
        int saves = 0;
        int merges = 0;
        int prunes = 0;
        int restores = 0;
        int mostFiles = 0;
        try (var lanes = Executors.newFixedThreadPool(LANES)) {
            for (Future<Outcome> run : lanes.invokeAll(runs)) {
                StoreAudit audit = run.get().audit();
                checkpoints += audit.seen();
                saves += audit.cutOff(Work.SAVE);
                merges += audit.cutOff(Work.MERGE);
                prunes += audit.cutOff(Work.PRUNE);
                restores += run.get().cutRestores();
                mostFiles = Math.max(mostFiles, audit.mostFiles());
            }
        }
        System.out.printf(
                "storm: %d kills, %d checkpoints; cut off: %d saves, %d merges, %d removals, %d restores; at most %d files%n",
                kills, checkpoints, saves, merges, prunes, restores, mostFiles);
        assertThat(checkpoints).as("kills happened between saves").isGreaterThan(kills / 2);
        assertThat(saves).as("kills happened in the middle of saves").isGreaterThan(kills / 20);
        assertThat(merges + prunes).as("… of merges and removals").isGreaterThan(kills / 50);
        assertThat(restores).as("… of restores").isPositive();
    }

    /// One run that is killed many times.
    private Outcome killAgainAndAgain(int number, long seed) throws Exception {
        var random = new Random(seed + number);
        int weights = number % 10 == 4 ? 140_000 : 14_000 + random.nextInt(20_000);
        Manner manner = MANNERS.get(number % MANNERS.size());
        var plan = new CrashWorker.Plan(
                folder.resolve("run-" + number),
                folder.resolve("journal-" + number),
                manner.codec(),
                manner.keep(),
                number,
                weights);
        var audit = new StoreAudit(plan);
        int cutRestores = 0;
        for (int kill = 1; kill <= KILLS_A_RUN; kill++) {
            String context = "seed %d, run %d, kill %d, %s".formatted(seed, number, kill, manner);
            try (var worker = WorkerProcess.start(plan)) {
                worker.live(random);
                int code = worker.kill();
                String said = worker.said();
                assertThat(said).as(context).doesNotContain("WRONG", "Exception");
                cutRestores += said.endsWith(WorkerProcess.RESTORING + "\n") ? 1 : 0;
                assertThat(code).as("%s: killed, not ended", context).isEqualTo(ChildProcess.KILLED);
            }
            audit.check(context);
        }
        audit.checkEverything("seed %d, run %d, in the end".formatted(seed, number));
        return new Outcome(audit, cutRestores);
    }
}
