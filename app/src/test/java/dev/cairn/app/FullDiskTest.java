package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.app.console.Failures;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Disks that are full, fill up or cannot be written: a real small file system. Needs the right to mount one.
class FullDiskTest {
    @TempDir
    Path folder;

    private boolean mounted;

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            Command.of("umount", "--lazy", folder.resolve("disk").toString()).succeed();
        }
    }

    /// Five checkpoints fill the disk. Saves that come while another is under way are skipped, on a busy machine most
    /// of them: so there are many more.
    @Test
    void aDiskThatFillsDuringARunStopsSavesButNotTheTraining() throws Exception {
        mount("size=2m");
        Path run = folder.resolve("disk/run");
        Cli result = Cli.run(
                "train", "lenet", "--run", run.toString(), "--steps", "200", "--batch", "8", "--every", "5", "--json");
        assertThat(result.json().path("step").asLong()).isEqualTo(200);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.json().path("failedSaves").asInt()).isPositive();
        assertThat(result.errorLines())
                .filteredOn(line -> line.contains("failed"))
                .hasSize(result.json().path("failedSaves").asInt() + 1)
                .allSatisfy(line -> assertThat(line).containsAnyOf("not enough space", "No space left", "last save"));
        assertThat(Cli.run("verify", run.toString()).code()).isZero();

        Path elsewhere = folder.resolve("copy");
        Command.of("cp", "-r", run.toString(), elsewhere.toString()).succeed();
        Cli resumed = Cli.run("train", "lenet", "--run", elsewhere.toString(), "--json");
        assertThat(resumed.code()).isZero();
        assertThat(resumed.weights()).isEqualTo(result.weights());
    }

    /// The state takes 68 kB. A chain of it would fill the disk before it is merged.
    @Test
    void aSmallDiskThatHoldsWhatIsKeptFailsNoSave() throws Exception {
        mount("size=900k");
        Path run = folder.resolve("disk/run");
        Cli result = Cli.run(
                "train",
                "lr",
                "--run",
                run.toString(),
                "--steps",
                "400",
                "--batch",
                "8",
                "--every",
                "10",
                "--keep",
                "latest:3",
                "--json");
        assertThat(result.json().path("failedSaves").asInt()).isZero();
        assertThat(result.code()).isZero();
        assertThat(result.errorLines()).noneMatch(line -> line.contains("not enough space"));
        assertThat(Cli.run("verify", run.toString()).code()).isZero();
    }

    @Test
    void aCureIsToldOnce() {
        String told = "storage unavailable: x cannot be read: Input/output error; check the disk and start again";
        assertThat(Failures.describe(new StorageUnavailableException(told))).isEqualTo(told);
        assertThat(Failures.describe(new IOException("No space left on device")))
                .contains("; free some space");
    }

    @Test
    void aFullDiskAtTheStartIsOneLineAndExitCodeOne() throws Exception {
        mount("size=256k");
        Cli result =
                Cli.run("train", "lenet", "--run", folder.resolve("disk/run").toString());
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().lines()).singleElement().asString().contains("not enough space", "free some");
    }

    @Test
    void aDiskWithoutInodesIsOneLineAndExitCodeOne() throws Exception {
        mount("size=8m,nr_inodes=2");
        Cli result =
                Cli.run("train", "lenet", "--run", folder.resolve("disk/run").toString());
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().lines()).singleElement().asString().contains("No space left");
    }

    @Test
    void aRunInWhichNothingCouldBeSavedIsToldAsSuch() throws Exception {
        mount("size=8m,nr_inodes=5"); // the disk itself, the run, its lock and two more
        Cli result = Cli.run("train", "lr", "--run", folder.resolve("disk/run").toString(), "--steps", "2", "--json");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.errorLines())
                .last()
                .asString()
                .startsWith("cairn: the last save failed; the run has no checkpoint; see above, then start");
    }

    @Test
    void aReadOnlyDiskIsOneLineAndExitCodeOne() throws Exception {
        mount("size=8m,ro");
        Cli result =
                Cli.run("train", "lenet", "--run", folder.resolve("disk/run").toString());
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().lines()).singleElement().asString().contains("Read-only file system");
    }

    @Test
    void anExportOrImportThatDoesNotFitIsOneLineAndLeavesNothing() throws Exception {
        Path run = folder.resolve("run");
        assertThat(Cli.run("train", "lenet", "--run", run.toString(), "--steps", "2")
                        .code())
                .isZero();
        Path file = folder.resolve("all.pt");
        assertThat(Cli.run("export", run.toString(), file.toString(), "--all").code())
                .isZero();
        mount("size=244k"); // the tensors fit, the file around them does not
        for (Cli result : List.of(
                Cli.run("export", run.toString(), folder.resolve("disk/w.pt").toString()),
                Cli.run("export", run.toString(), folder.resolve("disk/w.ckpt").toString()),
                Cli.run("export", run.toString(), folder.resolve("disk/all.npz").toString(), "--all"),
                Cli.run("import", file.toString(), folder.resolve("disk/run").toString()))) {
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.err().lines())
                    .singleElement()
                    .asString()
                    .containsAnyOf("not enough space", "No space left")
                    .contains("free some");
            assertThat(folder.resolve("disk")).isEmptyDirectory();
        }
    }

    @Test
    void aDrawingThatDoesNotFitIsOneLineAndLeavesTheOneBefore() throws Exception {
        mount("size=4k");
        Path drawing = Files.writeString(folder.resolve("disk/plan.svg"), "before");
        Cli result = Cli.run("plan", "--work", "10h", "--overhead", "10s", "--mtbf", "1h", "--svg", drawing.toString());
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().lines()).singleElement().asString().contains("No space left");
        assertThat(drawing).hasContent("before");
        assertThat(folder.resolve("disk")).isDirectoryNotContaining("glob:**.made");
    }

    private void mount(String options) throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        mounted = Command.of("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.toString())
                .succeeds();
        assumeTrue(mounted, "mounting a tmpfs needs root: full disks are not tested here");
    }
}
