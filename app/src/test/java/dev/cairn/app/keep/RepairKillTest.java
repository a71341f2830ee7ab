package dev.cairn.app.keep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.Cli;
import dev.cairn.app.Main;
import dev.cairn.app.SmallRun;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.DamagedRegion;
import dev.cairn.testkit.DamagedRegion.Kind;
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

/// `cairn repair` is killed with SIGKILL while it heals a run in which every file is damaged. Nothing is lost: all
/// checkpoints can still be restored, and the next repair makes every file what it was.
class RepairKillTest {
    private static final int SAVES = 12;

    /// About as long as a repair needs for the files after the first.
    private static final int LONGEST_LIFE_MILLIS = 60;

    @TempDir
    Path folder;

    @Test
    void survivesSomeKills() throws Exception {
        kill(2, 31);
    }

    @Test
    @Tag("crash")
    void survivesFiftyKills() throws Exception {
        assertThat(kill(50, 32)).as("kills in the middle of a repair").isPositive();
    }

    private int kill(int kills, long seed) throws Exception {
        var random = new Random(seed);
        Path run = folder.resolve("run");
        SmallRun.train(run, "lossless", SAVES, seed);
        Map<String, byte[]> good = files(run);
        List<String> ids = ids(run);
        int between = 0;
        for (int kill = 1; kill <= kills; kill++) {
            String context = "seed %d, kill %d".formatted(seed, kill);
            int damaged = damage(run, good, random);
            long quarantines = quarantines(run);
            try (ChildProcess repair = start(run)) {
                Eventually.holds("the repair changes files", () -> !repair.isAlive() || quarantines(run) > quarantines);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
                assertThat(repair.kill()).as("%s: %s", context, repair.out()).isIn(ChildProcess.KILLED, 0);
            }
            long left = damaged(run, good);
            between += left > 0 && left < damaged ? 1 : 0;
            var store = new CheckpointStore(new LocalBlobStore(run));
            assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged())
                    .as(context)
                    .allMatch(DamagedFile::healable);
            assertThat(ids(run)).as(context).isEqualTo(ids);
            Cli again = Cli.run("repair", run.toString());
            assertThat(again.code()).as("%s: %s", context, again.out()).isZero();
            assertThat(files(run)).as(context).containsAllEntriesOf(good);
            assertThat(ids(run)).as(context).isEqualTo(ids);
        }
        return between;
    }

    /// Damages each segment, and one of the two places of each record.
    ///
    /// @return the number of files
    private static int damage(Path run, Map<String, byte[]> good, Random random) throws IOException {
        int damaged = 0;
        for (String name : good.keySet()) {
            boolean isDamaged = name.endsWith(".seg") || name.endsWith(number(name) % 2 == 0 ? ".rec" : ".twin");
            if (isDamaged) {
                Path file = run.resolve(name);
                int at = random.nextInt(Math.toIntExact(Files.size(file)));
                new DamagedRegion(Kind.BIT, file, at, 1, random.nextLong()).damage();
                damaged++;
            }
        }
        return damaged;
    }

    private static long number(String record) {
        return Long.parseLong(record.replaceAll("log/|\\..*", ""));
    }

    /// The number of files that differ from what they were.
    private static long damaged(Path run, Map<String, byte[]> good) throws IOException {
        Map<String, byte[]> now = files(run);
        return good.entrySet().stream()
                .filter(file -> !Arrays.equals(file.getValue(), now.get(file.getKey())))
                .count();
    }

    /// How many repairs have copied what they are about to change.
    private static long quarantines(Path run) throws IOException {
        if (!Files.exists(run.resolve("quarantine"))) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(run.resolve("quarantine"))) {
            return files.filter(file -> file.endsWith("reasons.txt")).count();
        }
    }

    private static ChildProcess start(Path run) throws IOException {
        return Command.java(
                        List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"),
                        Main.class,
                        "repair",
                        run.toString())
                .withErrorsInOutput()
                .start();
    }

    private static List<String> ids(Path run) throws IOException {
        return SmallRun.checkpoints(run).stream().map(Commit::id).toList();
    }

    /// The records, twins and segments.
    private static Map<String, byte[]> files(Path run) throws IOException {
        var files = new HashMap<String, byte[]>();
        for (String folder : List.of("log", "segments")) {
            try (Stream<Path> found = Files.list(run.resolve(folder))) {
                for (Path file : found.filter(each -> each.toString().matches(".*\\.(rec|twin|seg)"))
                        .toList()) {
                    files.put(run.relativize(file).toString(), Files.readAllBytes(file));
                }
            }
        }
        return files;
    }
}
