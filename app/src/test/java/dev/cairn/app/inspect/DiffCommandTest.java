package dev.cairn.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {
    @TempDir
    Path folder;

    @Test
    void tellsWhatChangedFromOneStepToAnother() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 3, 1);
        Cli diff = Cli.run("diff", run + "@10", run + "@30", "--json");
        assertThat(diff.code()).isZero();
        JsonNode weight = diff.json().path("tensors").get(0);
        assertThat(weight.path("change").asText()).isEqualTo("values");
        // Two Gaussian steps of deviation 0.1 over 3000 weights.
        assertThat(weight.path("norm").asDouble()).isCloseTo(0.1 * Math.sqrt(2 * 3000), within(0.5));
        assertThat(weight.path("largest").asDouble()).isBetween(0.3, 0.8);
        assertThat(weight.path("equalShare").asDouble()).isLessThan(0.01);
        JsonNode counter = diff.json().path("tensors").get(2);
        assertThat(counter.path("norm").asDouble()).isEqualTo(20);
        assertThat(Cli.run("diff", run + "@10", run + "@30").out())
                .contains("layer.weight", "3 changed, 0 the same")
                .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 80));
    }

    @Test
    void exitCodeTellsADifferenceWhereAskedTo() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 2, 1);
        assertThat(Cli.run("diff", run + "@10", run + "@20").code()).isZero();
        assertThat(Cli.run("diff", run + "@10", run + "@20", "--exit-code").code())
                .isEqualTo(1);
        assertThat(Cli.run("diff", run.toString(), run + "@20", "--exit-code").code())
                .isZero();
    }

    @Test
    void equalDigestsAreAnsweredWithoutReading() throws IOException {
        SmallRun one = SmallRun.train(folder.resolve("one"), "lossless", 2, 1);
        SmallRun other = SmallRun.train(folder.resolve("other"), "full", 2, 1);
        Files.delete(other.segment(1));
        Cli diff = Cli.run("diff", one.toString(), other.toString(), "--json");
        assertThat(diff.json().path("same").asBoolean()).isTrue();
        assertThat(diff.json().path("read").asBoolean()).isFalse();
        assertThat(Cli.run("diff", one + "@10", other.toString()).code())
                .as("different ones are read, and the file is gone")
                .isEqualTo(3);
    }

    @Test
    void runsOfOneStateInTwoCodecsDifferByTheError() throws IOException {
        SmallRun exact = SmallRun.train(folder.resolve("exact"), "lossless", 3, 1);
        SmallRun lossy = SmallRun.train(folder.resolve("lossy"), "lossy", 3, 1);
        JsonNode diff =
                Cli.run("diff", exact.toString(), lossy.toString(), "--json").json();
        JsonNode told = Cli.run("show", lossy.toString(), "--json").json();
        assertThat(diff.path("tensors").get(0).path("relativeNorm").asDouble())
                .isCloseTo(told.path("tensors").get(0).path("relativeError").asDouble(), within(1e-6));
        assertThat(diff.path("tensors").get(2).path("change").asText()).isEqualTo("none");
    }
}
