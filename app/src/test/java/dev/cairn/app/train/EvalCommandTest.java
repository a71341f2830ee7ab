package dev.cairn.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvalCommandTest {
    @TempDir
    Path folder;

    private String trained(String codec, String... more) {
        String run = folder.resolve("run").toString();
        String options = "train lr --run %s --steps 40 --every 10 --eval-every 10 --keep all --codec %s --json %s"
                .formatted(run, codec, String.join(" ", more));
        assertThat(Cli.run(options.strip().split(" ")).code()).isZero();
        return run;
    }

    @Test
    void scoresWhatIsStoredAsTheTrainingDid() {
        String run = trained("lossless");
        JsonNode rows = Cli.run("ls", run, "--json").json().path("checkpoints");
        assertThat(rows).isNotEmpty();
        for (JsonNode row : rows) {
            JsonNode scored = Cli.run("eval", run + "@" + row.path("step").asLong(), "--json")
                    .json();
            assertThat(scored.path("accuracy").asDouble())
                    .isPositive()
                    .isEqualTo(row.path("accuracy").asDouble())
                    .isEqualTo(scored.path("trainedAccuracy").asDouble());
            assertThat(scored.path("testLoss").asDouble()).isPositive();
            assertThat(scored.path("step").asLong()).isEqualTo(row.path("step").asLong());
        }
        Cli text = Cli.run("eval", run + "@20");
        assertThat(text.out())
                .contains("lr on digits: step 20 of", "stored exactly", "on the test split", "before it was stored");
        assertThat(text.out().lines().skip(1)).allMatch(line -> line.length() <= 80);
    }

    @Test
    void whatACodecDidIsSeen() {
        String run = trained("rel:0.9");
        JsonNode scored = Cli.run("eval", run + "@20", "--json").json();
        assertThat(scored.path("errorOfState").asDouble()).isPositive();
        assertThat(scored.path("accuracy").asDouble())
                .isNotEqualTo(scored.path("trainedAccuracy").asDouble());
        assertThat(Cli.run("eval", run + "@20").out().replaceAll("\\s+", " "))
                .contains("stored as rel:0.9, weights off by");
    }

    @Test
    void theBestIsNamed() {
        String run = trained("lossless");
        JsonNode scored = Cli.run("eval", run + "@best", "--json").json();
        assertThat(scored.path("step").asLong())
                .isEqualTo(scored.path("bestStep").asLong());
        assertThat(scored.path("bestIsKept").asBoolean()).isTrue();
    }

    @Test
    void ratingsHaveAnErrorInPlaceOfAnAccuracy() {
        String run = folder.resolve("mf").toString();
        assertThat(Cli.run("train", "mf", "--run", run, "--steps", "3").code()).isZero();
        JsonNode scored = Cli.run("eval", run, "--json").json();
        assertThat(scored.path("rmse").asDouble()).isPositive();
        assertThat(scored.has("accuracy")).isFalse();
    }

    @Test
    void aRunWithoutAWorkloadIsWrongUsage() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("own"), "lossless", 1, 1);
        Cli result = Cli.run("eval", run.toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err())
                .contains("has no workload", "'cairn train WORKLOAD --run NEW --from")
                .hasLineCount(1);
    }

    @Test
    void whatIsDamagedIsPassedOverUnlessItWasNamed() throws IOException {
        String run = trained("lossless");
        var small = new SmallRun(Path.of(run));
        SmallRun.damage(small.segment(3));
        Cli newest = Cli.run("eval", run, "--json");
        assertThat(newest.json().path("step").asLong()).isEqualTo(30);
        assertThat(newest.err()).contains("skipped the checkpoint of step ");
        assertThat(Cli.run("eval", run + "@40").code()).isEqualTo(3);
        assertThat(Cli.run("eval", run, "--data-dir", folder.resolve("absent").toString())
                        .code())
                .isEqualTo(2);
    }
}
