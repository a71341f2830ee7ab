package dev.cairn.s3.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.s3.server.AtomicS3;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Trainings whose storage fails at random and whose processes die at random, or seem dead and come back. Nothing that
/// was reported as committed is lost, and only a state as it was saved is ever restored.
class StormTest {
    private static final int DEATHS_A_RUN = 10;
    private static final int LANES = 2;
    private static final String BUCKET = "bucket";

    @Test
    void survivesThirtyDeaths() throws Exception {
        storm(30, 20261115);
    }

    @Test
    @Tag("crash")
    void survivesFiveHundredDeaths() throws Exception {
        storm(Integer.getInteger("cairn.kills", 500), 42);
    }

    private static void storm(int deaths, long seed) throws Exception {
        try (var server = new AtomicS3(BUCKET)) {
            var runs = new ArrayList<Callable<StormyRun>>();
            for (int run = 0; run < deaths / DEATHS_A_RUN; run++) {
                int number = run;
                runs.add(() -> live(server, number, seed + number));
            }
            int commits = 0;
            int faults = 0;
            int failures = 0;
            int returns = 0;
            try (var lanes = Executors.newFixedThreadPool(LANES)) {
                for (Future<StormyRun> each : lanes.invokeAll(runs)) {
                    commits += each.get().commits();
                    faults += each.get().faults();
                    failures += each.get().failures();
                    returns += each.get().returns();
                }
            }
            System.out.printf(
                    "storm on S3: %d deaths, %d came back; %d faults, %d commits, %d failures told%n",
                    deaths, returns, faults, commits, failures);
            assertThat(server.uploads(BUCKET)).as("uploads left behind").isZero();
            assertThat(commits).as("commits").isGreaterThan(deaths);
            assertThat(faults).as("faults").isGreaterThan(deaths);
            assertThat(returns).as("processes that came back").isPositive();
        }
    }

    private static StormyRun live(AtomicS3 server, int number, long seed) throws IOException {
        var run = new StormyRun(server, BUCKET, number, seed);
        for (int death = 0; death < DEATHS_A_RUN; ) {
            death += run.live() ? 1 : 0;
        }
        run.end();
        return run;
    }
}
