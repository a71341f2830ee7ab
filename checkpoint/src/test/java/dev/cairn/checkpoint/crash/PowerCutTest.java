package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.DamagedRegion;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A separate file system loses power at random times during saves, merges and removals: all commits are there when
/// it is mounted again. Needs the right to mount.
class PowerCutTest {
    private static final int CUTS_A_RUN = 10;
    private static final int CUTS_OF_THE_SAMPLE = 4;

    @TempDir
    Path folder;

    @Test
    void survivesSomePowerCuts() throws Exception {
        try (var disk = LoopDisk.make(folder, "sample")) {
            cutAgainAndAgain(disk, "lossless", "latest:2", CUTS_OF_THE_SAMPLE, new Random(3));
        }
    }

    @Test
    @Tag("crash")
    void survivesPowerCuts() throws Exception {
        var random = new Random(7);
        int removals = 0;
        for (String codec : List.of("lossless", "lossy", "lc:3", "full")) {
            for (String keep : List.of("all", "latest:1", "latest:2,best:1@score")) {
                try (var disk = LoopDisk.make(folder, codec.replace(":", "") + keep.length())) {
                    StoreAudit audit = cutAgainAndAgain(disk, codec, keep, CUTS_A_RUN, random);
                    removals += audit.cutOff(StoreAudit.Work.PRUNE) + audit.cutOff(StoreAudit.Work.MERGE);
                }
            }
        }
        assertThat(removals)
                .as("cuts happened in the middle of merges and removals")
                .isPositive();
    }

    @Test
    void survivesSomePowerCutsDuringRewrites() throws Exception {
        cutRewrites(2);
    }

    @Test
    @Tag("crash")
    void survivesPowerCutsDuringRewrites() throws Exception {
        cutRewrites(40);
    }

    /// A damaged file is as it was first written, or still damaged so that it heals. What the worker called rewritten
    /// stays so.
    private void cutRewrites(int cuts) throws Exception {
        var random = new Random(5);
        try (var disk = LoopDisk.make(folder, "rewrites")) {
            Path run = disk.folder().resolve("run");
            disk.mount();
            Path file = ScrubKillTest.makeRun(run);
            byte[] original = Files.readAllBytes(file);
            byte[] damaged = original;
            int rewrites = 0;
            for (int cut = 1; cut <= cuts; cut++) {
                if (Arrays.equals(Files.readAllBytes(file), original)) {
                    DamagedRegion.random(file, original.length / 100, random).damage();
                    damaged = Files.readAllBytes(file);
                }
                disk.unmount();
                disk.mount();
                boolean told;
                try (ChildProcess worker = ScrubKillTest.start(run)) {
                    worker.awaitLine(ScrubWorker.OPEN);
                    ScrubKillTest.live(worker, run, cut, random);
                    told = worker.out().contains(ScrubWorker.REWRITTEN);
                    disk.cutPower();
                    worker.kill();
                }
                disk.unmount();
                disk.mount();
                byte[] after = Files.readAllBytes(file);
                assertThat(after).as("cut %d", cut).isIn(original, told ? original : damaged);
                rewrites += Arrays.equals(after, original) ? 1 : 0;
                var store = new CheckpointStore(new LocalBlobStore(run));
                assertThat(StoreVerifier.damage(store, store.history()).lost())
                        .as("cut %d", cut)
                        .isEmpty();
            }
            assertThat(rewrites).as("cuts after a rewrite").isPositive();
        }
    }

    @Test
    void survivesAPowerCutWhileRecordsHeal() throws Exception {
        cutHealing(1);
    }

    @Test
    @Tag("crash")
    void survivesPowerCutsWhileRecordsHeal() throws Exception {
        cutHealing(40);
    }

    /// A start rewrites damaged records from their twins. None of them is lost.
    private void cutHealing(int cuts) throws Exception {
        var random = new Random(6);
        try (var disk = LoopDisk.make(folder, "healing")) {
            Path run = disk.folder().resolve("run");
            disk.mount();
            String newest = HealingKillTest.makeRun(run);
            Map<String, byte[]> good = HealingKillTest.log(run);
            for (int cut = 1; cut <= cuts; cut++) {
                HealingKillTest.damage(run, random);
                disk.unmount();
                disk.mount();
                try (ChildProcess worker = HealingKillTest.start(run)) {
                    HealingKillTest.awaitFirst(worker, run, good);
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(20_000));
                    disk.cutPower();
                    worker.kill();
                }
                disk.unmount();
                disk.mount();
                HealingKillTest.assertGoesOn(run, newest, good, "cut " + cut);
            }
        }
    }

    /// Otherwise the other test would prove nothing.
    @Test
    void aCutLosesWhatWasNotForced() throws IOException {
        try (var disk = LoopDisk.make(folder, "proof")) {
            disk.mount();
            try (var forced = FileChannel.open(
                    disk.folder().resolve("forced"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                forced.force(true);
            }
            Files.writeString(disk.folder().resolve("unforced"), "gone");
            disk.cutPower();
            disk.unmount();
            disk.mount();
            assertThat(disk.folder().resolve("forced")).exists();
            assertThat(disk.folder().resolve("unforced")).doesNotExist();
        }
    }

    private StoreAudit cutAgainAndAgain(LoopDisk disk, String codec, String keep, int cuts, Random random)
            throws Exception {
        var plan = new CrashWorker.Plan(
                disk.folder().resolve("run"), folder.resolve(disk.name() + ".journal"), codec, keep, 11, 20_000);
        var audit = new StoreAudit(plan);
        for (int cut = 1; cut <= cuts; cut++) {
            disk.mount();
            audit.check("%s, %s, before cut %d".formatted(codec, keep, cut));
            try (var worker = WorkerProcess.start(plan)) {
                worker.live(random);
                disk.cutPower();
                // It must note nothing from now on, because nothing is committed any more.
                TimeUnit.MILLISECONDS.sleep(20);
                worker.kill();
            }
            disk.unmount();
        }
        disk.mount();
        audit.checkEverything(codec + ", after all cuts");
        assertThat(audit.seen()).isGreaterThan(cuts / 2);
        return audit;
    }

    /// An ext4 file system in a file. Its journal is written only on request: nothing is durable by luck.
    private record LoopDisk(String name, Path image, Path folder) implements AutoCloseable {
        private static final Path MKFS = Path.of("/usr/sbin/mkfs.ext4");
        private static final long DISK_BYTES = 512 << 20;

        static LoopDisk make(Path parent, String name) throws IOException {
            Path image = parent.resolve(name + ".img");
            try (var file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(DISK_BYTES);
            }
            var disk = new LoopDisk(name, image, Files.createDirectory(parent.resolve(name)));
            boolean mounted = Files.isExecutable(MKFS)
                    && Command.of(MKFS.toString(), "-qF", image.toString()).succeeds()
                    && disk.tryToMount();
            assumeTrue(mounted, "mounting a loop device needs root and mkfs.ext4: power cuts are not tested here");
            disk.unmount();
            return disk;
        }

        void mount() {
            assertThat(tryToMount()).as("mounts again").isTrue();
        }

        private boolean tryToMount() {
            return Command.of("mount", "-o", "loop,commit=300", image.toString(), folder.toString())
                    .succeeds();
        }

        void unmount() throws IOException {
            Command.of("umount", folder.toString()).succeed();
        }

        /// From now on nothing reaches the disk, not even the file system's own journal.
        void cutPower() throws IOException {
            Ext4Shutdown.withoutFlush(folder);
        }

        @Override
        public void close() throws IOException {
            Command.of("umount", "--lazy", "--quiet", folder.toString()).run();
        }
    }
}
