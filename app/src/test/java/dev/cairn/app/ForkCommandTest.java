package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.disk.Folders;
import dev.cairn.store.Attributes;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `train --from` and `--partial`, on a run with checkpoints of steps 10, 20 and 30.
class ForkCommandTest {
    @TempDir
    static Path trained;

    @TempDir
    Path folder;

    @BeforeAll
    static void trainTheOrigin() {
        // A clean end always saves, whereas a save on the way may be skipped where the disk is slow.
        for (long step : List.of(10L, 20L, 30L)) {
            String[] settings = step == 10 ? new String[] {"--batch", "16", "--threads", "2"} : new String[0];
            assertThat(train(trained.resolve("origin"), step, settings).code()).isZero();
        }
    }

    @BeforeEach
    void copyTheOrigin() throws IOException {
        try (Stream<Path> tree = Files.walk(trained.resolve("origin"))) {
            for (Path file : tree.toList()) {
                Files.copy(file, folder.resolve(trained.relativize(file)));
            }
        }
    }

    @Test
    void aForkThatChangesNothingEndsInTheBitsOfTheRunItself() {
        Cli fork = train("fork", 40, "--from", path("origin") + "@20");
        assertThat(fork.code()).as(fork.err()).isZero();
        assertThat(fork.json().path("resumedFromStep").asLong()).isEqualTo(20);
        assertThat(fork.errorLines()).anyMatch(line -> line.startsWith("cairn: forked from run origin, step "));
        assertThat(fork.weights()).isEqualTo(train("origin", 40).weights());
    }

    @Test
    void aForkWithOtherDataIsScoredAnew() {
        double before = train("origin", 30).json().path("bestAccuracy").asDouble();
        Cli fork = train("fork", 30, "--from", path("origin") + "@30", "--data", "fake");
        assertThat(fork.code()).as(fork.err()).isZero();
        assertThat(fork.json().path("bestAccuracy")).isEqualTo(fork.json().path("accuracy"));
        assertThat(fork.json().path("bestAccuracy").asDouble()).isNotEqualTo(before);
        assertThat(fork.json().path("bestStep").asLong()).isEqualTo(30);
    }

    @Test
    void aForkWithAnotherFunctionIsScoredAnew() {
        double before = train("origin", 30).json().path("bestAccuracy").asDouble();
        Cli fork = train("fork", 30, "--from", path("origin") + "@30", "--activation", "tanh");
        assertThat(fork.code()).as(fork.err()).isZero();
        assertThat(fork.json().path("bestAccuracy")).isEqualTo(fork.json().path("accuracy"));
        assertThat(fork.json().path("bestAccuracy").asDouble()).isNotEqualTo(before);
    }

    @Test
    void theSameCommandGoesOnWithTheFork() throws IOException {
        train("fork", 25, "--from", path("origin") + "@20");
        assertThat(steps("fork")).containsExactly(20L, 25L);
        Folders.delete(folder.resolve("origin"));
        Cli again = train("fork", 35, "--from", path("origin") + "@20");
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.json().path("resumedFromStep").asLong()).isEqualTo(25);
        assertThat(steps("fork")).startsWith(20L, 25L).endsWith(35L);
        assertThat(kinds("fork").getFirst()).isEqualTo("base");
        assertThat(attributes("fork").asMap())
                .containsAllEntriesOf(Map.of("cairn.originRun", "origin", "cairn.originStep", 20L));
    }

    @Test
    void withoutAStepTheNewestIsForkedAndOptionsAreTheForksOwn() throws IOException {
        Cli fork = train("fork", 32, "--from", path("origin"), "--rate", "0.001", "--batch", "8", "--seed", "5");
        assertThat(fork.code()).as(fork.err()).isZero();
        assertThat(fork.json().path("resumedFromStep").asLong()).isEqualTo(30);
        assertThat(attributes("fork").asMap())
                .containsAllEntriesOf(Map.of("rate", 0.001, "batch", 8L, "seed", 5L, "threads", 2L));
        assertThat(attributes("origin").asMap()).containsAllEntriesOf(Map.of("batch", 16L, "seed", 1L));
    }

    @Test
    void theBestIsForked() throws IOException {
        // Each checkpoint is the end of a training, and so was scored before it was saved.
        double highest = Double.NEGATIVE_INFINITY;
        long best = 0;
        for (Entry entry : new CheckpointStore(new LocalBlobStore(folder.resolve("origin"))).entries()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)
                    && checkpoint.attributes().number("accuracy").orElseThrow() > highest) {
                highest = checkpoint.attributes().number("accuracy").orElseThrow();
                best = checkpoint.step();
            }
        }
        Cli fork = train("fork", 31, "--from", path("origin") + "@best");
        assertThat(fork.json().path("resumedFromStep").asLong()).isEqualTo(best);
    }

    @Test
    void anotherOptimizerNeedsPartialWhichTellsWhatDoesNotFit() throws IOException {
        Cli refused = train("fork", 40, "--from", path("origin"), "--optimizer", "adam");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errorLines())
                .singleElement()
                .asString()
                .contains("missing in the checkpoint: adam.m/", "unknown to the model: momentum.m/", "--partial");
        assertThat(folder.resolve("fork")).doesNotExist();

        String[] partial = {"--from", path("origin"), "--optimizer", "adam", "--partial"};
        Cli fork = train("fork", 40, partial);
        assertThat(fork.code()).as(fork.err()).isZero();
        assertThat(fork.errorLines())
                .anyMatch(line ->
                        line.contains("restored partly: ") && line.contains("missing in the checkpoint: adam.m/"));
        assertThat(attributes("fork").asMap()).containsAllEntriesOf(Map.of("optimizerBegan", 30L, "rate", 0.001));

        train("resumed", 35, partial);
        Cli resumed = train("resumed", 40, partial);
        assertThat(resumed.errorLines()).noneMatch(line -> line.contains("in part"));
        assertThat(resumed.weights()).isEqualTo(fork.weights());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                ORIGIN@25             | run origin has no checkpoint of step 25; its steps are 10, 20, 30
                ORIGIN@worst          | 'worst' is neither a step nor 'best'
                FOLDER/absent         | no run at
                FOLDER/absent@10      | no run at
                ORIGIN@10 --fresh     | --fresh and --from exclude each other
                ORIGIN@10 --rate -1   | --rate must be a positive number
                """)
    void whatCannotBeForkedIsOneLineAndMakesNothing(String from, String message) {
        var args = new ArrayList<String>(List.of("--from"));
        args.addAll(List.of(from.replace("ORIGIN", path("origin"))
                .replace("FOLDER", folder.toString())
                .split(" ")));
        Cli refused = train("fork", 40, args.toArray(String[]::new));
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines()).singleElement().asString().contains(message);
        assertThat(folder.resolve("fork")).doesNotExist();
    }

    @Test
    void aRunWithCheckpointsOfItsOwnIsNotOverwritten() {
        assertRefused("already has checkpoints, and is not a fork", train("origin", 40, "--from", forkOf("origin")));
        assertRefused(
                "already has checkpoints, forked from origin@30, not from " + path("origin") + "@20",
                train("origin-fork", 40, "--from", path("origin") + "@20"));
        assertRefused("are the same run", train("origin", 40, "--from", path("origin")));
        assertThat(steps("origin")).containsExactly(10L, 20L, 30L);
    }

    private static void assertRefused(String message, Cli result) {
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err().lines()).singleElement().asString().contains(message);
    }

    /// Makes the fork `NAME-fork` of a run and returns its folder.
    private String forkOf(String run) {
        assertThat(train(run + "-fork", 30, "--from", path(run)).code()).isZero();
        return path(run + "-fork");
    }

    private Cli train(String run, long steps, String... more) {
        return train(folder.resolve(run), steps, more);
    }

    private static Cli train(Path run, long steps, String... more) {
        var args = new ArrayList<>(List.of(
                "train", "lenet", "--run", run.toString(), "--steps", Long.toString(steps), "--every", "10", "--json"));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    private String path(String run) {
        return folder.resolve(run).toString();
    }

    private List<Long> steps(String run) {
        var steps = new ArrayList<Long>();
        Cli.run("ls", path(run), "--json")
                .json()
                .path("checkpoints")
                .forEach(node -> steps.add(node.path("step").asLong()));
        return steps;
    }

    private List<String> kinds(String run) {
        var kinds = new ArrayList<String>();
        Cli.run("ls", path(run), "--json")
                .json()
                .path("checkpoints")
                .forEach(node -> kinds.add(node.path("kind").asText()));
        return kinds;
    }

    /// Of the run's newest checkpoint.
    private Attributes attributes(String run) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(folder.resolve(run), CheckpointOptions.defaults())) {
            return checkpoints.newestRecord().map(Checkpoint::attributes).orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lr", "mf"})
    void aRunOfAnotherWorkloadIsForkedAsWhatItIs(String workload) {
        Cli refused = Cli.run("train", workload, "--run", path("fork"), "--from", path("origin"), "--steps", "40");
        assertRefused(
                "--from names a run of lenet, not of %s; fork it with 'train lenet'".formatted(workload), refused);
        assertThat(folder.resolve("fork")).doesNotExist();
    }
}
