package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.RandomState;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.DamagedRegion;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process is killed with SIGKILL while it scrubs a run with a damaged file: the file is as it was
/// first written, or still damaged so that it heals. Nothing else changes, and nothing accumulates.
class ScrubKillTest {
    private static final int STATE = 2_000_000;

    /// About as long as a worker needs to check and rewrite the file.
    private static final int LONGEST_LIFE_MILLIS = 700;

    @TempDir
    Path folder;

    @Test
    void survivesSomeKills() throws Exception {
        int[] results = kill(4, 11);
        assertThat(results[0]).as("kills after a rewrite").isPositive();
    }

    @Test
    @Tag("crash")
    void survivesTwoHundredKills() throws Exception {
        int[] results = kill(200, 12);
        assertThat(results[0]).as("kills after a rewrite").isGreaterThanOrEqualTo(66);
        assertThat(results[1]).as("kills in the middle of a rewrite").isPositive();
    }

    /// @return how many kills came after a rewrite, and how many in the middle of one
    private int[] kill(int kills, long seed) throws Exception {
        var random = new Random(seed);
        Path run = folder.resolve("run");
        Path file = makeRun(run);
        byte[] original = Files.readAllBytes(file);
        Map<String, byte[]> others = files(run, file);
        byte[] damaged = original;
        int[] results = new int[2];
        for (int kill = 1; kill <= kills; kill++) {
            String context = "seed %d, kill %d".formatted(seed, kill);
            byte[] present = Files.readAllBytes(file);
            if (Arrays.equals(present, original)) {
                DamagedRegion.random(file, original.length / 100, random).damage();
                damaged = Files.readAllBytes(file);
            }
            boolean told;
            try (ChildProcess worker = start(run)) {
                worker.awaitLine(ScrubWorker.OPEN);
                live(worker, run, kill, random);
                worker.kill();
                assertThat(worker.out()).as(context).doesNotContain("WRONG", "Exception");
                told = worker.out().contains(ScrubWorker.REWRITTEN);
            }
            byte[] after = Files.readAllBytes(file);
            assertThat(after).as(context).isIn(original, told ? original : damaged);
            assertThat(files(run, file)).as(context).containsExactlyInAnyOrderEntriesOf(others);
            results[0] += Arrays.equals(after, original) ? 1 : 0;
            int temporaries = temporaries(run);
            assertThat(temporaries).as("%s: leftovers", context).isLessThanOrEqualTo(1);
            results[1] += temporaries;
            var store = new CheckpointStore(new LocalBlobStore(run));
            assertThat(StoreVerifier.damage(store, store.history()).lost())
                    .as(context)
                    .isEmpty();
        }
        if (!Arrays.equals(Files.readAllBytes(file), original)) {
            try (ChildProcess worker = start(run)) {
                worker.awaitLine(ScrubWorker.REWRITTEN);
            }
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(original);
        return results;
    }

    /// Returns when this worker is to end. By turns that is after a random time, when it has rewritten the file, and
    /// when it writes it. So rewrites happen however slow the machine is.
    static void live(ChildProcess worker, Path run, int turn, Random random) throws Exception {
        switch (turn % 3) {
            case 1 -> TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
            case 2 -> worker.awaitLine(ScrubWorker.REWRITTEN);
            default ->
                Eventually.holds(
                        "the file is being rewritten, or has been",
                        () -> temporaries(run) > 0 || worker.out().contains(ScrubWorker.REWRITTEN));
        }
    }

    static ChildProcess start(Path run) throws IOException {
        return Command.java(
                        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-Dcairn.directFrom=0"),
                        ScrubWorker.class,
                        run.toString())
                .withErrorsInOutput()
                .start();
    }

    /// A base and two deltas.
    ///
    /// @return the file of the base
    static Path makeRun(Path run) throws IOException {
        var state = new RandomState(STATE);
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.resume(state);
            for (int step = 1; step <= 3; step++) {
                state.makeStep();
                assertThat(checkpoints.saveNow(step, state).isSaved()).isTrue();
            }
        }
        var store = new CheckpointStore(new LocalBlobStore(run));
        return run.resolve(
                store.history().currentCheckpoints().getFirst().segmentNames().getFirst());
    }

    /// All records and segments but this one.
    private static Map<String, byte[]> files(Path run, Path except) throws IOException {
        var files = new HashMap<String, byte[]>();
        try (Stream<Path> found = Files.walk(run)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                String name = run.relativize(file).toString();
                if (!file.equals(except) && name.matches("(log|segments)/[^.].*")) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    private static int temporaries(Path run) throws IOException {
        return new LocalBlobStore(run).temporaries("segments/").size();
    }
}
