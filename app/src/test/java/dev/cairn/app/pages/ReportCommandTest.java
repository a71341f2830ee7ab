package dev.cairn.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
    @TempDir
    Path folder;

    @Test
    void writesOneFileAndSaysWhere() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 3, 1, "latest:2");
        Path file = folder.resolve("report.html");
        Cli said = Cli.run("report", run.toString(), "--out", file.toString(), "--json");
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.json().path("file").asText()).isEqualTo(file.toString());
        assertThat(said.json().path("bytes").asLong()).isEqualTo(Files.size(file));
        assertThat(Files.readString(file))
                .startsWith("<!doctype html>")
                .contains("\"keep\":\"latest:2\"", "\"step\":30");
        assertThat(Cli.run("report", folder.resolve("none").toString()).code()).isEqualTo(2);
    }
}
