package dev.cairn.app.keep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairCommandTest {
    @TempDir
    Path folder;

    private SmallRun run = new SmallRun(Path.of("."));

    @BeforeEach
    void train() throws IOException {
        run = SmallRun.train(folder.resolve("run"), "lossless", 4, 1);
    }

    @Test
    void afterARepairTheRunVerifiesAndTheTrainingGoesOn() throws IOException {
        Path damaged = run.segment(2);
        String name = run.folder().relativize(damaged).toString();
        SmallRun.damage(damaged);
        byte[] bytes = Files.readAllBytes(damaged);
        Cli repair = Cli.run("repair", run.toString(), "--json");
        assertThat(repair.code()).isZero();
        assertThat(repair.json().path("lost").findValuesAsText("step")).containsExactly("30", "40");
        String quarantine = repair.json().path("quarantine").asText();
        assertThat(run.folder().resolve(quarantine).resolve(name)).hasBinaryContent(bytes);
        assertThat(damaged).doesNotExist();
        Cli verify = Cli.run("verify", run.toString());
        assertThat(verify.code()).isZero();
        assertThat(verify.out()).startsWith("ok: 2 checkpoints").doesNotContain("quarantine");
        assertThat(SmallRun.train(run.folder(), "lossless", 1, 2).checkpoints())
                .extracting(Commit::step)
                .containsExactly(10L, 20L, 30L);
    }

    @Test
    void aDryRunSaysAllAndChangesNothing() throws IOException {
        SmallRun.damage(run.segment(3));
        List<Path> before = files();
        Cli dry = Cli.run("repair", run.toString(), "--dry-run");
        assertThat(dry.code()).isEqualTo(3);
        assertThat(dry.out())
                .contains(
                        "damaged: segments/", "lost: step 40", "would be moved into quarantine/", "3 checkpoints left");
        assertThat(files()).isEqualTo(before);
        assertThat(Cli.run("repair", run.toString()).out())
                .contains("moved into quarantine/2", "lost: step 40; 3 checkpoints left; the run is whole");
    }

    @Test
    void nothingDamagedIsSaidAndNothingChanged() throws IOException {
        List<Path> before = files();
        Cli repair = Cli.run("repair", run.toString());
        assertThat(repair.code()).isZero();
        assertThat(repair.out()).isEqualTo("nothing is damaged, nothing was changed\n");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aRunIsNotEmptiedSoThatATrainingWouldBeginAnew() throws IOException {
        SmallRun.damage(run.segment(0));
        List<Path> before = files();
        Cli repair = Cli.run("repair", run.toString());
        assertThat(repair.code()).isEqualTo(3);
        assertThat(repair.out()).contains("no checkpoint can be restored: nothing was changed");
        assertThat(files()).isEqualTo(before);
    }

    private List<Path> files() throws IOException {
        try (var files = Files.walk(run.folder())) {
            return files.sorted().toList();
        }
    }
}
