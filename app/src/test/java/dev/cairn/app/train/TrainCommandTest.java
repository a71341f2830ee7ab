package dev.cairn.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.store.Damage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole trainings on libtorch, in this process: small, but nothing is left out.
class TrainCommandTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"sgd", "momentum", "adam"})
    void aResumedRunEndsInTheSameBits(String optimizer) {
        Cli straight = train("straight", 40, "--optimizer", optimizer);
        train("resumed", 7, "--optimizer", optimizer);
        train("resumed", 23, "--optimizer", optimizer);
        Cli resumed = train("resumed", 40, "--optimizer", optimizer);
        assertThat(folder.resolve("resumed/tensorboard/w0"))
                .isDirectoryContaining("glob:**/events.out.tfevents.0000000003.*");
        assertThat(resumed.json().path("resumedFromStep").asLong()).isEqualTo(23);
        assertThat(resumed.weights()).isEqualTo(straight.weights());
        assertThat(resumed.json().path("loss")).isEqualTo(straight.json().path("loss"));
        assertThat(resumed.json().path("accuracy")).isEqualTo(straight.json().path("accuracy"));
    }

    /// A training of less than a tenth of a second has no figures.
    @Test
    void recordsHowTheMachineIsUsed() {
        Path figures = folder.resolve("figures/system");
        for (int steps = 1_000; !Files.isDirectory(figures) && steps < 1_000_000; steps *= 2) {
            train("figures", steps);
        }
        assertThat(figures).isDirectoryContaining("glob:**/*-w0.jsonl").isDirectoryContaining("glob:**/*-w0.csv");
    }

    @Test
    void whatIsRecordedForPeopleMayBeElsewhereOrNowhere() {
        Path curves = folder.resolve("curves");
        train("run", 2, "--system-every", "off", "--tensorboard", curves.toString(), "--summary-every", "1");
        assertThat(curves.resolve("run/w0")).isDirectoryContaining("glob:**/events.out.tfevents.0000000001.*");
        train("run", 3, "--system-every", "off", "--tensorboard", "off");
        assertThat(curves.resolve("run/w0")).isDirectoryNotContaining("glob:**/events.out.tfevents.0000000002.*");
        assertThat(folder.resolve("run/tensorboard")).doesNotExist();
        assertThat(folder.resolve("run/system")).doesNotExist();
        Cli wrong = train("run", 3, "--summary-every", "0");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("--summary-every must be at least 1, not 0; for no curves, give --tensorboard off");
    }

    @Test
    void resumesAcrossTheEndOfAnEpoch() {
        // 12,000 examples in batches of 3,000: an epoch is four steps.
        Cli straight = train("straight", 9, "--batch", "3000");
        train("resumed", 4, "--batch", "3000");
        train("resumed", 5, "--batch", "3000");
        Cli resumed = train("resumed", 9, "--batch", "3000");
        assertThat(resumed.json().path("epoch").asLong()).isEqualTo(2);
        assertThat(resumed.weights()).isEqualTo(straight.weights());
    }

    @Test
    void aFinishedRunTrainsNothingAndSaysTheSame() {
        Cli first = train("run", 20);
        Cli again = train("run", 20);
        Cli fewer = train("run", 5);
        for (Cli later : List.of(again, fewer)) {
            assertThat(later.code()).isZero();
            for (String key : List.of("step", "epoch", "loss", "accuracy", "checkpoints", "weightsSha256")) {
                assertThat(later.json().path(key))
                        .as(key)
                        .isEqualTo(first.json().path(key));
            }
        }
    }

    @Test
    void theDocumentedKeysAreThere() {
        JsonNode json = train("run", 3).json();
        for (String key : List.of(
                "step",
                "epoch",
                "loss",
                "accuracy",
                "resumedFromStep",
                "checkpoints",
                "remainingSeconds",
                "stallSeconds",
                "wallSeconds",
                "weightsSha256")) {
            assertThat(json.has(key)).as(key).isTrue();
        }
        assertThat(json.path("resumedFromStep").isNull()).isTrue();
        assertThat(folder.resolve("run/progress.jsonl")).content().contains("\"remainingSeconds\":");
    }

    @Test
    void refusesToMixRunsAndLosesNothing() {
        Cli first = train("run", 10);
        assertRefused("seed", train("run", 20, "--seed", "2"));
        assertRefused("batch", train("run", 20, "--batch", "8"));
        assertRefused("optimizer", train("run", 20, "--optimizer", "adam"));
        assertRefused("rate", train("run", 20, "--rate", "0.5"));
        assertThat(train("run", 10).weights()).isEqualTo(first.weights());
    }

    @Test
    void anotherThreadCountIsAllowedWithAWarning() {
        train("run", 5, "--threads", "1");
        Cli other = train("run", 10, "--threads", "2");
        assertThat(other.code()).isZero();
        assertThat(other.err()).contains("warning: threads=2, but the run started with threads=1");
    }

    @Test
    void aDamagedCheckpointIsPassedOverAndTheEndIsTheSame() throws IOException {
        Cli straight = train("straight", 30);
        train("damaged", 20);
        Path newest = newestSegment("damaged");
        Damage.inTheMiddle(newest);

        Cli verified = Cli.run("verify", folder.resolve("damaged").toString(), "--json");
        assertThat(verified.code()).isEqualTo(3);
        assertThat(verified.json().path("damaged").path(0).path("file").asText())
                .isEqualTo("segments/" + newest.getFileName());
        assertThat(statuses("damaged")).containsExactly("good", "damaged");

        Cli resumed = train("damaged", 30);
        assertThat(resumed.json().path("resumedFromStep").asLong()).isEqualTo(10);
        assertThat(resumed.weights()).isEqualTo(straight.weights());
        assertThat(resumed.errorLines())
                .filteredOn(line -> line.contains("skipped the checkpoint of step 20"))
                .singleElement()
                .asString()
                .contains(newest.getFileName().toString(), "expected crc32c=", "actual crc32c=");
    }

    @Test
    void aFlippedBitInTheFirstSegmentHealsAndIsTold() throws IOException {
        Cli straight = train("straight", 40);
        train("run", 30);
        Path base;
        try (var segments = Files.list(folder.resolve("run/segments"))) {
            base = segments.sorted().toList().getFirst();
        }
        byte[] bytes = Files.readAllBytes(base);
        bytes[bytes.length / 3] ^= 1;
        Files.write(base, bytes);

        Cli verified = Cli.run("verify", folder.resolve("run").toString(), "--json");
        assertThat(verified.code()).isEqualTo(3);
        assertThat(verified.json().path("damaged"))
                .singleElement()
                .satisfies(damage ->
                        assertThat(damage.path("healable").asBoolean()).isTrue());
        Cli resumed = train("run", 40);
        assertThat(resumed.json().path("resumedFromStep").asLong()).isEqualTo(30);
        assertThat(resumed.weights()).isEqualTo(straight.weights());
        assertThat(resumed.errorLines())
                .filteredOn(line -> line.contains("healed: segments/" + base.getFileName() + " from its parity"))
                .hasSize(1);
        assertThat(Cli.run("repair", folder.resolve("run").toString()).code()).isZero();
        assertThat(Cli.run("verify", folder.resolve("run").toString()).code()).isZero();
    }

    @Test
    void aDamagedBaseTakesItsDeltasWithIt() throws IOException {
        train("run", 30);
        try (var segments = Files.list(folder.resolve("run/segments"))) {
            Path base = segments.sorted().toList().getFirst();
            Damage.inTheMiddle(base);
        }
        assertThat(statuses("run")).containsExactly("damaged", "damaged", "damaged");
        Cli verified = Cli.run("verify", folder.resolve("run").toString(), "--json");
        assertThat(verified.code()).isEqualTo(3);
        assertThat(verified.json().path("damaged")).hasSize(1);
        assertThat(train("run", 30).code()).isEqualTo(3);
    }

    @Test
    void aRecordThatIsTruncatedInBothPlacesIsPassedOver() throws IOException {
        train("run", 20);
        Path newest = folder.resolve("run/log/0000000002.rec");
        byte[] bytes = Files.readAllBytes(newest);
        Files.write(newest, java.util.Arrays.copyOf(bytes, bytes.length / 2));
        Files.write(folder.resolve("run/log/0000000002.twin"), new byte[0]);
        assertThat(statuses("run")).containsExactly("good", "damaged");
        assertThat(train("run", 30).json().path("resumedFromStep").asLong()).isEqualTo(10);
    }

    @Test
    void whereNothingVerifiesOnlyFreshStartsOver() throws IOException {
        Cli straight = train("straight", 10);
        train("run", 10);
        Files.write(newestSegment("run"), new byte[3]);
        Cli refused = train("run", 10);
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.errorLines()).last().asString().contains("--fresh");
        Cli fresh = train("run", 10, "--fresh");
        assertThat(fresh.code()).isZero();
        assertThat(fresh.json().path("resumedFromStep").isNull()).isTrue();
        assertThat(fresh.weights()).isEqualTo(straight.weights());
        assertThat(train("run", 10).weights()).isEqualTo(straight.weights());
    }

    @Test
    void freshMayChangeTheSettings() {
        train("run", 10);
        Cli fresh = train("run", 10, "--fresh", "--seed", "5");
        assertThat(fresh.code()).isZero();
        assertThat(train("run", 12).json().path("resumedFromStep").asLong()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lossless", "full", "lossy", "uq:0.3", "rel:0.01", "lc:3", "lc:8", "lc:auto:0.5"})
    void everyCodecResumesAndEndsExactly(String codec) {
        Cli straight = train("straight", 45, "--codec", codec, "--optimizer", "adam");
        train("resumed", 25, "--codec", codec, "--optimizer", "adam");
        Cli resumed = train("resumed", 45, "--codec", codec, "--optimizer", "adam");
        // A clean end is exact whatever the codec: nothing was lost at step 25.
        assertThat(resumed.json().path("resumedFromStep").asLong()).isEqualTo(25);
        assertThat(resumed.weights()).isEqualTo(straight.weights());
        assertThat(Cli.run("verify", folder.resolve("resumed").toString()).code())
                .isZero();
    }

    @Test
    void aLossyCheckpointIsSmallerAndCloseToWhatWasSaved() throws IOException {
        train("run", 25, "--codec", "lossy");
        JsonNode list =
                Cli.run("ls", folder.resolve("run").toString(), "--json").json().path("checkpoints");
        assertThat(list.path(1).path("bytes").asLong() * 4)
                .isLessThan(list.path(1).path("fullBytes").asLong());
        assertThat(list.path(0).path("errorOfChange").isNull()).as("a base").isTrue();
        // The patterns of a matrix with few rows hold most of its change, so the error may be less than what was asked.
        assertThat(list.path(1).path("errorOfChange").asDouble()).isBetween(0.2, 0.9);
        assertThat(list.path(1).path("errorOfState").asDouble()).isBetween(1e-5, 0.1);
        Files.delete(folder.resolve("run/log/0000000003.rec"));
        Files.delete(folder.resolve("run/log/0000000003.twin"));
        Files.delete(newestSegment("run"));
        Cli resumed = train("run", 30, "--codec", "lossy");
        assertThat(resumed.json().path("resumedFromStep").asLong()).isEqualTo(20);
        assertThat(resumed.json().path("loss").asDouble()).isFinite();
    }

    @Test
    void aCodecThatIsTooCoarseSaysSo() {
        Cli coarse = train("run", 45, "--codec", "lc:1", "--optimizer", "adam");
        assertThat(coarse.code()).isZero();
        assertThat(coarse.err().lines().filter(line -> line.contains("lc:1 left an error of")))
                .hasSize(1);
    }

    @Test
    void optionsLeftOutAreTakenFromTheRun() {
        Cli straight = train("straight", 20, "--seed", "9");
        train("run", 10, "--seed", "9");
        assertThat(train("run", 20).weights()).isEqualTo(straight.weights());
    }

    @Test
    void listsCheckpointsOldestFirst() {
        train("run", 25);
        JsonNode list =
                Cli.run("ls", folder.resolve("run").toString(), "--json").json().path("checkpoints");
        assertThat(list).extracting(node -> node.path("step").asLong()).containsExactly(10L, 20L, 25L);
        assertThat(list).extracting(node -> node.path("kind").asText()).containsExactly("base", "delta", "delta");
        assertThat(list.path(0).path("parent").isNull()).isTrue();
        for (int i = 0; i < list.size(); i++) {
            JsonNode checkpoint = list.path(i);
            assertThat(checkpoint.path("status").asText()).isEqualTo("good");
            assertThat(checkpoint.path("codec").asText()).isEqualTo("lossless");
            if (i > 0) {
                assertThat(checkpoint.path("parent")).isEqualTo(list.path(i - 1).path("id"));
            }
            for (JsonNode file : checkpoint.path("files")) {
                assertThat(folder.resolve("run").resolve(file.asText())).exists();
            }
        }
        assertThat(Cli.run("verify", folder.resolve("run").toString()).code()).isZero();
        assertThat(Cli.run("ls", folder.resolve("run").toString()).out()).contains("base", "good", "3 checkpoints, ");
    }

    @Test
    void reportAndListsCountTheSame() {
        train("run", 20);
        Cli fresh = train("run", 200, "--fresh", "--keep", "latest:2");
        int listed = Cli.run("ls", folder.resolve("run").toString(), "--json")
                .json()
                .path("checkpoints")
                .size();
        assertThat(fresh.json().path("checkpoints").asInt()).isEqualTo(listed).isLessThan(20);
        assertThat(fresh.json().path("savedCheckpoints").asInt()).isGreaterThan(listed);
        assertThat(Cli.run("verify", folder.resolve("run").toString()).out())
                .contains("ok: %d checkpoints (2 of them from before --fresh".formatted(listed + 2));
    }

    @Test
    void aBestScoreWithoutACheckpointIsToldAsSuch() {
        String run = folder.resolve("run").toString();
        Cli unkept = Cli.run(
                "train",
                "lr",
                "--run",
                run,
                "--steps",
                "300",
                "--eval-every",
                "10",
                "--every",
                "1000",
                "--keep",
                "latest:5");
        assertThat(unkept.out().replaceAll("\\s+", " ")).contains(", without a checkpoint");
        assertThat(unkept.out().lines()).allMatch(line -> line.length() <= 80);
        JsonNode kept = Cli.run("train", "lr", "--run", run, "--fresh", "--steps", "10", "--json")
                .json();
        assertThat(kept.path("bestStep").asLong()).isEqualTo(10);
        assertThat(kept.path("bestIsKept").asBoolean()).isTrue();
    }

    @Test
    void theBestStepIsSavedWhereItIsToBeKept() {
        String run = folder.resolve("run").toString();
        Cli trained = Cli.run(
                "train", "lr", "--run", run, "--steps", "300", "--eval-every", "10", "--every", "1000", "--json");
        JsonNode kept = trained.json();
        assertThat(kept.path("bestStep").asLong()).isLessThan(300);
        boolean isKept = kept.path("bestIsKept").asBoolean();
        boolean noTime = trained.err().contains("is not saved: saves would take more than 5.00 % of the time");
        assertThat(isKept || noTime).as(trained.err()).isTrue();
        assertThat(Cli.run("show", run + "@best").err().isEmpty()).isEqualTo(isKept);
    }

    @Test
    void nearlyWhatWasAskedForStays() {
        String run = folder.resolve("run").toString();
        String options = "train lr --run %s --steps 150 --every 3 --keep latest:5".formatted(run);
        Cli ended = Cli.run(options.split(" "));
        int left = Cli.run("ls", run, "--json").json().path("checkpoints").size();
        assertThat(left).isBetween(5, 6);
        assertThat(ended.out().contains("--keep latest:5 selects 5; 1 more stays"))
                .isEqualTo(left == 6);
    }

    @Test
    void aStepThatWasSavedTwiceIsExplained() {
        train("run", 20, "--rate", "1e6", "--on-divergence", "rollback:1", "--keep", "all");
        String list = Cli.run("ls", folder.resolve("run").toString()).out();
        assertThat(list).contains("step 0 was saved more than once: its last row is the newest");
    }

    @Test
    void aRunThatEndedIsNoFailureAlsoWhereItsLastStepWasDueAnyway() {
        for (long steps : List.of(10L, 20L, 30L)) {
            assertThat(train("run", steps, "--every", "5").code()).isZero();
        }
        Cli policy = Cli.run("show", folder.resolve("run").toString(), "--policy", "--json");
        assertThat(policy.json().path("decisions"))
                .isNotEmpty()
                .allMatch(decision -> decision.path("failures").asLong(-1) == 0);
    }

    @Test
    void mergedCheckpointsKeepTheirPlace() {
        train("run", 45, "--keep", "all");
        Cli.run("merge", folder.resolve("run").toString());
        JsonNode list =
                Cli.run("ls", folder.resolve("run").toString(), "--json").json().path("checkpoints");
        assertThat(list).extracting(node -> node.path("step").asLong()).containsExactly(10L, 20L, 30L, 40L, 45L);
        assertThat(list).extracting(node -> node.path("kind").asText()).startsWith("base", "delta", "merged");
    }

    @Test
    void pruneSaysWhyNothingGoes() {
        train("run", 30, "--keep", "all");
        String run = folder.resolve("run").toString();
        assertThat(Cli.run("prune", run, "--dry-run", "--keep", "latest:1")
                        .out()
                        .replaceAll("\\s+", " "))
                .contains(
                        "nothing to remove (--dry-run",
                        "latest:1 selects 1 of 3; it is a delta and needs 2 of the others ('cairn merge' makes them need fewer, but takes space)");
        assertThat(Cli.run("prune", run).out().lines())
                .containsExactly("nothing to remove", "--keep latest:5,every:1h,best:1 selects 3 of 3");
        Cli.run("merge", run);
        Cli pruned = Cli.run("prune", run, "--keep", "latest:1", "--json");
        assertThat(pruned.json().path("removed")).hasSize(1);
        assertThat(pruned.json().path("kept").asInt()).isEqualTo(2);
        assertThat(pruned.json().path("needed").asInt()).isEqualTo(1);
    }

    @Test
    void anotherCodecIsSaidInOneLine() {
        train("run", 10);
        assertThat(train("run", 10, "--codec", "full").errorLines())
                .filteredOn(line -> line.contains("codec"))
                .containsExactly("cairn: --codec full changes nothing: the run is finished, saved as codec=lossless");
        assertThat(train("run", 20, "--codec", "full").errorLines())
                .filteredOn(line -> line.contains("codec"))
                .containsExactly(
                        "cairn: saving as codec=full from now on; until now the run was saved as codec=lossless");
        assertThat(train("run", 20).errorLines()).noneMatch(line -> line.contains("codec"));
    }

    /// The exact checkpoint of the end is lost: what is left is a lossy one, which scores otherwise.
    @Test
    void aStateRestoredWithAnErrorIsScoredAnew() throws IOException {
        train("run", 150, "--codec", "lossy", "--every", "50");
        JsonNode list =
                Cli.run("ls", folder.resolve("run").toString(), "--json").json().path("checkpoints");
        for (JsonNode file : list.path(list.size() - 1).path("files")) {
            Files.delete(folder.resolve("run").resolve(file.asText()));
        }
        Cli restored = train("run", 100, "--codec", "lossy");
        assertThat(restored.json().path("resumedFromStep").asLong()).isEqualTo(100);
        assertThat(restored.json().path("loss").isNull()).as("of another state").isTrue();
        assertThat(restored.json().path("accuracy").isNumber()).isTrue();
        assertThat(restored.errorLines())
                .filteredOn(line -> line.contains("resumed from step 100"))
                .singleElement()
                .asString()
                .contains("stored as lossy (uq:0.74), with weights that are off by ")
                .endsWith(", first moments restored as zeros");
    }

    @Test
    void aWriteLimitChangesNothingButTime() {
        Cli straight = train("straight", 20);
        assertThat(train("limited", 20, "--write-limit", "2M").weights()).isEqualTo(straight.weights());
    }

    private static void assertRefused(String name, Cli result) {
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err().lines()).singleElement().asString().contains("this run has " + name + "=");
    }

    /// With 2 threads where nothing else is said, a save every 10 steps, and small batches.
    private Cli train(String run, long steps, String... more) {
        var args = new ArrayList<>(List.of(
                "train", "lenet", "--run", folder.resolve(run).toString(), "--steps", Long.toString(steps), "--json"));
        List<String> given = List.of(more);
        args.addAll(given);
        addDefault(args, given, "--every", "10");
        if (given.contains("--fresh") || !Files.exists(folder.resolve(run).resolve("log"))) {
            addDefault(args, given, "--batch", "16");
            addDefault(args, given, "--threads", "2");
        }
        return Cli.run(args.toArray(String[]::new));
    }

    private static void addDefault(List<String> args, List<String> given, String option, String value) {
        if (!given.contains(option)) {
            args.addAll(List.of(option, value));
        }
    }

    private List<String> statuses(String run) {
        var statuses = new ArrayList<String>();
        Cli.run("ls", folder.resolve(run).toString(), "--json")
                .json()
                .path("checkpoints")
                .forEach(node -> statuses.add(node.path("status").asText()));
        return statuses;
    }

    private Path newestSegment(String run) throws IOException {
        try (var segments = Files.list(folder.resolve(run).resolve("segments"))) {
            return segments.sorted().toList().getLast();
        }
    }

    @Test
    void aFolderWithFilesOfOthersIsRefusedAsItIs() throws IOException {
        Path docs = folder.resolve("docs");
        Files.createDirectories(docs.resolve("log"));
        Files.writeString(docs.resolve("thesis.tex"), "text");
        Cli refused = train("docs", 2);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines())
                .singleElement()
                .asString()
                .contains("docs is not a run: it contains 'thesis.tex'", "; choose a new or empty folder");
        try (Stream<Path> files = Files.list(docs)) {
            assertThat(files).containsExactlyInAnyOrder(docs.resolve("log"), docs.resolve("thesis.tex"));
        }
    }

    @Test
    void whatACutOffStartLeftAndLogsBesideItAreNoFilesOfOthers() throws IOException {
        Path run = folder.resolve("run");
        Files.createDirectories(run.resolve("segments"));
        Files.writeString(run.resolve("writer.lock"), "");
        Files.writeString(run.resolve("out.log"), "");
        assertThat(train("run", 2).code()).isZero();
        Files.writeString(run.resolve("notes.txt"), "mine");
        assertThat(train("run", 4).code()).as("it is a run now").isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                run       | run/copy     | is inside the run's own folder
                copy/run  | copy         | is inside the folder of --copy-to
                run       | ./x/../run   | are the same place
                run       | link/copy    | is inside the run's own folder
                """)
    void aRunAndItsCopyAreApart(String run, String copy, String message) throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("run"));
        if (copy.startsWith("link")) {
            Files.createDirectory(folder.resolve("run"));
        }
        Cli refused = train(run, 2, "--copy-to", folder.resolve(copy).toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines())
                .singleElement()
                .asString()
                .contains(message, "; choose another place for the copy");
        assertThat(folder.resolve(copy)).doesNotExist();
    }

    @Test
    void theCopyOfAnotherRunIsRefusedBeforeAnythingIsFetched() {
        String copy = folder.resolve("copy").toString();
        assertThat(train("one", 4, "--rate", "0.01", "--copy-to", copy).code()).isZero();
        Cli refused = train("two", 4, "--rate", "0.02", "--copy-to", copy);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines())
                .singleElement()
                .asString()
                .contains("is the copy of another run: it has rate=0.01, not 0.02; choose another place for the copy");
        assertThat(folder.resolve("two")).doesNotExist();
        Cli forked = train("two", 6, "--from", folder.resolve("one").toString(), "--copy-to", copy);
        assertThat(forked.code()).isEqualTo(2);
        assertThat(forked.err()).contains("the copy in " + copy + " already has checkpoints, and is not a fork");
        assertThat(folder.resolve("two")).doesNotExist();
        Cli goneOn = train("two", 6, "--rate", "0.01", "--copy-to", copy);
        assertThat(goneOn.json().path("resumedFromStep").asLong()).isEqualTo(4);
    }
}
