package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LsCommandTest {
    @TempDir
    Path folder;

    @Test
    void aFolderOfRunsListsEachInOneLine() throws IOException {
        SmallRun good = SmallRun.train(folder.resolve("good"), "lossless", 3, 1);
        SmallRun damaged = SmallRun.train(folder.resolve("damaged"), "lossless", 2, 1);
        SmallRun.damage(damaged.segment(1));
        SmallRun.train(folder.resolve("empty"), "lossless", 0, 1);
        Files.createDirectory(folder.resolve("photos"));
        Cli list = Cli.run("ls", folder.toString());
        assertThat(list.code()).isZero();
        assertThat(list.out().lines().skip(1))
                .hasSize(4)
                .anySatisfy(line -> assertThat(line).contains("good").matches(".* 3 +30 .* s .*kB  good"))
                .anySatisfy(line -> assertThat(line).matches(".*damaged +2 +20 .*  damaged"))
                .anySatisfy(line -> assertThat(line).matches(".*empty +0 +- .*  empty"));
        JsonNode runs = Cli.run("ls", folder.toString(), "--json").json().path("runs");
        assertThat(runs).hasSize(3);
        assertThat(runs.get(2).path("run").asText()).isEqualTo(good.toString());
        assertThat(runs.get(2).path("checkpoints").asInt()).isEqualTo(3);
        assertThat(runs.get(2).path("step").asLong()).isEqualTo(30);
        assertThat(runs.get(1).path("step").isNull()).isTrue();
    }

    @Test
    void severalFoldersMayBeNamed() throws IOException {
        SmallRun one = SmallRun.train(folder.resolve("one"), "lossless", 1, 1);
        SmallRun two = SmallRun.train(folder.resolve("more/two"), "full", 2, 1);
        Cli list = Cli.run("ls", one.toString(), folder.resolve("more").toString(), "--json");
        assertThat(list.json().path("runs").findValuesAsText("run")).containsExactly(one.toString(), two.toString());
        Cli none = Cli.run("ls", one.toString(), folder.resolve("absent").toString());
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.out()).isEmpty();
    }

    @Test
    void theCheckpointsOfOneRunAreListedAsEver() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossy", 3, 1);
        Files.delete(run.segment(1));
        JsonNode rows = Cli.run("ls", run.toString(), "--json").json().path("checkpoints");
        assertThat(rows.findValuesAsText("status")).containsExactly("good", "damaged", "damaged");
        assertThat(rows.get(0).path("fullBytes").asLong()).isEqualTo(24_008);
        assertThat(Cli.run("ls", run.toString()).out().lines())
                .hasSize(5)
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.contains("exact"));
    }
}
