package dev.cairn.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import java.io.IOException;
import java.io.RandomAccessFile;
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
                .hasSize(5)
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
                .hasSize(6)
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.contains("exact"));
    }

    @Test
    void aTrainingIsListedWithScoresCodecAndRatioInEightyColumns() {
        String run = folder.resolve("run").toString();
        assertThat(Cli.run(
                                "train",
                                "lr",
                                "--run",
                                run,
                                "--steps",
                                "30",
                                "--every",
                                "10",
                                "--eval-every",
                                "20",
                                "--keep",
                                "all")
                        .code())
                .isZero();
        Cli list = Cli.run("ls", run);
        assertThat(list.out().lines())
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.matches("step +saved +kind +size +ratio +accuracy +loss +status"))
                .anyMatch(line -> line.matches(" +20 .*x +[0-9.]+ % +[0-9.]+ +good"))
                .anyMatch(line -> line.matches("3 checkpoints, .*, codec lossless, saved on .* \\(UTC\\)"));
        JsonNode rows = Cli.run("ls", run, "--json").json().path("checkpoints");
        assertThat(rows.get(1).path("accuracy").isNumber()).isTrue();
        assertThat(rows.get(1).path("loss").isNumber()).isTrue();
        assertThat(rows.get(0).path("accuracy").isNull()).as("not scored yet").isTrue();
    }

    @Test
    void aScoreOfAnEarlierStepIsInBrackets() {
        String run = folder.resolve("run").toString();
        Cli.run(
                "train",
                "lr",
                "--run",
                run,
                "--steps",
                "20",
                "--every",
                "15",
                "--eval-every",
                "10",
                "--keep",
                "latest:9");
        assertThat(Cli.run("ls", run).out().lines())
                .anyMatch(line -> line.matches(" +15 .* \\([0-9.]+ %\\) .*"))
                .anyMatch(line -> line.matches(" +20 .*x +[0-9.]+ % .*"));
    }

    @Test
    void whatWasNotReadIsNotCheckedAndUnknownToScripts() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 60, 1);
        assertThat(Cli.run("ls", run.toString()).out())
                .contains("not checked", "good")
                .doesNotContain("unknown");
        assertThat(Cli.run("ls", run.toString(), "--json").json().findValuesAsText("status"))
                .contains("unknown", "good")
                .doesNotContain("not checked");
    }

    @Test
    void parentsThatNobodyAskedForAreToldWithTheReason() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 4, 1, "latest:2");
        Cli list = Cli.run("ls", run.toString());
        assertThat(list.out()).contains("--keep latest:2 selects 2; 2 more stay because those are built on them");
        JsonNode document = Cli.run("ls", run.toString(), "--json").json();
        assertThat(document.path("keep").asText()).isEqualTo("latest:2");
        assertThat(document.path("checkpoints").findValuesAsText("parentOnly"))
                .containsExactly("true", "true", "false", "false");
        assertThat(Cli.run("show", run + "@20").out().replaceAll("\\s+", " "))
                .contains("kept only because step 30 is built on it; --keep latest:2 does not select it");
        assertThat(Cli.run("show", run + "@40").out()).contains("kept     selected by --keep latest:2");
        assertThat(Cli.run("prune", run.toString(), "--keep", "latest:2", "--dry-run")
                        .out())
                .contains("these are deltas and need 2 of the others");
    }

    @Test
    void damageIsCountedAsVerifyCountsItAndTheCureIsNamed() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 4, 1);
        SmallRun.damage(run.segment(1));
        assertThat(Cli.run("ls", run.toString()).out().replaceAll("\\s+", " "))
                .contains("3 damaged or built on a damaged one; see 'cairn verify', then 'cairn repair'");
        Cli verified = Cli.run("verify", run.toString());
        assertThat(verified.out().replaceAll("\\s+", " "))
                .contains("DAMAGED: 4 checkpoints, 3 damaged or built on a damaged one (1 damaged file), ");
        assertThat(Cli.run("verify", run.toString(), "--json")
                        .json()
                        .path("damagedCheckpoints")
                        .asInt())
                .isEqualTo(3);
        SmallRun.train(folder.resolve("other"), "lossless", 1, 1);
        assertThat(Cli.run("ls", folder.toString()).out().replaceAll("\\s+", " "))
                .contains("2 runs, ", "1 run damaged; see 'cairn verify RUN', then 'cairn repair RUN'");
        assertThat(Cli.run("ls", folder.resolve("other").toString()).out()).doesNotContain("repair");
    }

    @Test
    void damageThatHealsIsNotToldAsLoss() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 4, 1);
        try (var segment = new RandomAccessFile(run.segment(1).toFile(), "rw")) {
            segment.seek(500);
            int value = segment.read();
            segment.seek(500);
            segment.write(value ^ 1);
        }
        Cli verified = Cli.run("verify", run.toString());
        assertThat(verified.code()).isEqualTo(3);
        assertThat(verified.out())
                .contains(
                        "nothing is lost: 'cairn repair' rewrites it",
                        "DAMAGED: 4 checkpoints, all of which can be restored (1 damaged file), ")
                .doesNotContain("skips", "moves");
        assertThat(Cli.run("verify", run.toString(), "--fast", "--checksums").err())
                .startsWith("cairn: --fast and --checksums are different checks; give only one of them; see")
                .hasLineCount(1);
    }

    /// A name that nobody measures is probably misspelled.
    @Test
    void aMetricThatNoCheckpointHasIsTold() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "full", 4, 1, "latest:1,best:1@acuracy");
        String note = "no checkpoint has the metric of --keep best:1@acuracy, so all checkpoints stay";
        assertThat(Cli.run("ls", run.toString()).out())
                .contains("4 checkpoints")
                .contains(note);
        assertThat(Cli.run("prune", run.toString(), "--keep", "best:1@acuracy").out())
                .startsWith("nothing to remove")
                .contains(note);
        assertThat(Cli.run("prune", run.toString(), "--keep", "best:1", "--dry-run")
                        .out())
                .doesNotContain("metric");
    }

    @Test
    void aRecordThatDoesNotReadIsToldInWords() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "full", 8, 1, "latest:9");
        Path record = run.record(5);
        String name = "log/" + record.getFileName();
        SmallRun.damage(record);
        assertThat(Cli.run("ls", run.toString()).out().replaceAll("\\s+", " "))
                .contains(name + ", the record of a checkpoint, cannot be read")
                .contains("as long as " + name + " cannot be read, nothing that was saved before it is removed")
                .contains("1 damaged or built on a damaged one")
                .doesNotContain("selects");
        assertThat(Cli.run("prune", run.toString(), "--dry-run").out()).doesNotContain("selects");
    }

    @Test
    void theErrorIsShownWhereARunHasTwoCodecs() {
        String run = folder.resolve("run").toString();
        String options = "train lr --run %s --every 10 --keep all --steps ".formatted(run);
        assertThat(Cli.run((options + "25 --eval-every 5 --codec lossy").split(" "))
                        .code())
                .isZero();
        assertThat(Cli.run((options + "30").split(" ")).code()).isZero();
        assertThat(Cli.run("ls", run).out().lines())
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.matches("step +saved +kind .* error +status"))
                .anyMatch(line -> line.matches(" +20 .*[0-9] % +good"))
                .anyMatch(line -> line.matches(" +30 .*exact +good"))
                .anyMatch(line -> line.contains("codec lossy (uq:0.74), lossless"));
    }

    @Test
    void aRunThatIsNamedTwiceIsListedOnce() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 1, 1);
        Files.createSymbolicLink(folder.resolve("same"), run.folder());
        Cli list = Cli.run("ls", folder.toString(), run.toString(), "--json");
        assertThat(list.json().path("runs").findValuesAsText("run")).containsExactly(run.toString());
    }

    @Test
    void aFolderWithALogFolderAloneIsNoRun() throws IOException {
        Files.createDirectories(folder.resolve("server/log"));
        Files.writeString(folder.resolve("server/log/access.log"), "GET /");
        Cli alone = Cli.run("ls", folder.resolve("server").toString());
        assertThat(alone.code()).isEqualTo(2);
        assertThat(alone.err()).contains("no run at ", "it has neither a 'log' with records");
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 1, 1);
        assertThat(Cli.run("ls", folder.toString(), "--json")
                        .json()
                        .path("runs")
                        .findValuesAsText("run"))
                .containsExactly(run.toString());
        Files.delete(run.folder().resolve("writer.lock"));
        assertThat(Cli.run("ls", run.toString()).code())
                .as("a copy without its lock")
                .isZero();
    }
}
