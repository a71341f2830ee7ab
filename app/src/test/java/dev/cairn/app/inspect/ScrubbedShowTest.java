package dev.cairn.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Scrubbing;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.scrub.ScrubReport;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `show` and `doctor` say how far scrubbing is.
class ScrubbedShowTest {
    @TempDir
    Path folder;

    /// Scrubs until every file was checked at least once.
    private static void scrub(SmallRun run) throws IOException {
        var options = CheckpointOptions.defaults()
                .withScrubbing(new Scrubbing.Every(Duration.ofMillis(20), 100_000_000))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(run.folder(), options)) {
            assertThat(checkpoints.count()).isPositive();
            var store = new CheckpointStore(new LocalBlobStore(run.folder()));
            Eventually.holds("all files were checked", () -> {
                ScrubReport report = ScrubReport.of(store, store.history());
                return report.checked() == report.files()
                        && report.rewritten() + report.damaged().size() == 2;
            });
        }
    }

    private static String line(Cli shown, String head) {
        return shown.out()
                .replace("\n         ", " ")
                .lines()
                .filter(line -> line.startsWith(head))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode doctor() {
        return Cli.run("doctor", "--run", folder.toString(), "--json").json();
    }

    @Test
    void tellWhatWasCheckedAndRewrittenAndIsLost() throws IOException {
        assertThat(doctor().has("scrub")).as("no run yet").isFalse();
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 3, 1);
        Cli before = Cli.run("show", run.toString());
        assertThat(line(before, "scrub")).isEqualTo("scrub    none of 4 files checked yet");

        byte[] original = Files.readAllBytes(run.segment(1));
        byte[] healable = original.clone();
        healable[100] ^= 1;
        Files.write(run.segment(1), healable);
        SmallRun.damage(run.segment(2));
        String lost = "segments/" + run.segment(2).getFileName();
        scrub(run);

        assertThat(Files.readAllBytes(run.segment(1))).isEqualTo(original);
        assertThat(line(Cli.run("show", run.toString()), "scrub"))
                .startsWith("scrub    all 4 files checked within the last ")
                .contains("; 1 rewritten; damaged, and does not heal: " + lost);
        for (JsonNode scrub :
                new JsonNode[] {Cli.run("show", run.toString(), "--json").json().path("scrub"), doctor().path("scrub")
                }) {
            assertThat(scrub.path("files").asInt()).isEqualTo(4);
            assertThat(scrub.path("checked").asInt()).isEqualTo(4);
            assertThat(scrub.path("rewritten").asInt()).isEqualTo(1);
            assertThat(scrub.path("damaged")).hasSize(1);
            assertThat(scrub.path("damaged").get(0).path("file").asText()).endsWith(lost);
        }
        assertThat(doctor().path("findings"))
                .anyMatch(finding -> finding.path("what").asText().equals("scrubbing")
                        && finding.path("state").asText().equals("note")
                        && finding.path("text").asText().contains("cairn repair RUN"));
        assertThat(Cli.run("verify", run.toString()).code()).isEqualTo(3);

        Path notes = run.folder().resolve("scrub.json");
        Files.writeString(notes, Files.readString(notes).replace(lost, "\\u001b[31m" + lost));
        assertThat(Cli.run("show", run.toString()).out()).contains("?[31m").doesNotContain("\u001b");
    }
}
