package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.WalkingState;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process is killed with SIGKILL while it opens a run and rewrites damaged records from their twins. Nothing is
/// lost: the next start goes on from the newest checkpoint, bit for bit, and leaves the run whole.
class HealingKillTest {
    private static final int SAVES = 24;

    /// About as long as a worker needs for the other records after the first.
    private static final int LONGEST_LIFE_MICROS = 20_000;

    @TempDir
    Path folder;

    @Test
    void survivesSomeKills() throws Exception {
        kill(3, 21);
    }

    @Test
    @Tag("crash")
    void survivesAHundredKills() throws Exception {
        assertThat(kill(100, 22))
                .as("kills between the first and the last record")
                .isPositive();
    }

    private int kill(int kills, long seed) throws Exception {
        var random = new Random(seed);
        Path run = folder.resolve("run");
        String newest = makeRun(run);
        Map<String, byte[]> good = log(run);
        int between = 0;
        for (int kill = 1; kill <= kills; kill++) {
            damage(run, random);
            try (ChildProcess worker = start(run)) {
                awaitFirst(worker, run, good);
                TimeUnit.MICROSECONDS.sleep(random.nextInt(LONGEST_LIFE_MICROS));
                worker.kill();
                assertThat(worker.out()).doesNotContain("WRONG", "Exception");
            }
            int rewritten = rewritten(run, good);
            between += rewritten > 0 && rewritten < SAVES ? 1 : 0;
            assertGoesOn(run, newest, good, "seed %d, kill %d".formatted(seed, kill));
        }
        return between;
    }

    /// Waits for the first record that is as it was, or for the end of the worker.
    static void awaitFirst(ChildProcess worker, Path run, Map<String, byte[]> good) {
        Eventually.holds("a record is rewritten", () -> !worker.isAlive() || rewritten(run, good) > 0);
    }

    /// The number of records that are as they were.
    private static int rewritten(Path run, Map<String, byte[]> good) throws IOException {
        int same = 0;
        for (Map.Entry<String, byte[]> file : good.entrySet()) {
            try {
                same += file.getKey().endsWith(".rec")
                                && Arrays.equals(Files.readAllBytes(run.resolve(file.getKey())), file.getValue())
                        ? 1
                        : 0;
            } catch (NoSuchFileException missing) {
                // between its removal and its creation
            }
        }
        return same;
    }

    /// Nothing is lost, and after the next start nothing is damaged.
    static void assertGoesOn(Path run, String newest, Map<String, byte[]> good, String context) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged())
                .as(context)
                .allMatch(DamagedFile::healable);
        assertThat(store.history().currentCheckpoints()).as(context).hasSize(SAVES);
        var state = new WalkingState();
        try (Checkpoints checkpoints =
                Checkpoints.open(run, CheckpointOptions.defaults().withoutLog())) {
            assertThat(checkpoints.restoreLatest(state)).as(context).isPresent();
        }
        assertThat(state.digest()).as(context).isEqualTo(newest);
        assertThat(log(run)).as(context).containsAllEntriesOf(good);
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).ok())
                .as(context)
                .isTrue();
    }

    static ChildProcess start(Path run) throws IOException {
        return Command.java(
                        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"),
                        OpeningWorker.class,
                        run.toString())
                .withErrorsInOutput()
                .start();
    }

    /// A run of bases, so that no merge changes its log.
    ///
    /// @return the digest of its newest state
    static String makeRun(Path run) throws IOException {
        var state = new WalkingState();
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(0)
                .withRetention(Retention.parse("all"))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.restoreLatest(state);
            for (int save = 1; save <= SAVES; save++) {
                state.makeStep();
                assertThat(checkpoints.saveNow(state.step, state).isSaved()).isTrue();
            }
        }
        assertThat(log(run)).as("records and twins").hasSize(2 * SAVES);
        return state.digest();
    }

    /// All records are damaged or missing.
    static void damage(Path run, Random random) throws IOException {
        for (String file : log(run).keySet()) {
            if (file.endsWith(".rec") && number(file) <= SAVES) {
                if (random.nextBoolean()) {
                    Files.delete(run.resolve(file));
                } else {
                    byte[] noise = new byte[100];
                    random.nextBytes(noise);
                    Files.write(run.resolve(file), noise);
                }
            }
        }
    }

    private static long number(String record) {
        return Long.parseLong(record.replaceAll("\\D", ""));
    }

    /// The records and twins.
    static Map<String, byte[]> log(Path run) throws IOException {
        var files = new TreeMap<String, byte[]>();
        try (Stream<Path> found = Files.list(run.resolve("log"))) {
            for (Path file : found.toList()) {
                String name = Objects.toString(file.getFileName());
                if (name.matches("\\d+\\.(rec|twin)")) {
                    files.put("log/" + name, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }
}
