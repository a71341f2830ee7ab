package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Processes that the system lets read no more, for a moment or for good: they resume from the newest checkpoint, or
/// say in one line what is wrong. No checkpoint is passed over or removed for it.
class UnreadableFilesTest {
    private static final long NEWEST = 200;

    /// Shared by all: none of them changes it.
    @TempDir
    static Path folder;

    private static Path run = Path.of("");
    private static int checkpoints;

    @BeforeAll
    static void train() {
        run = folder.resolve("run");
        Cli trained = Cli.run(
                "train",
                "lr",
                "--run",
                run.toString(),
                "--steps",
                Long.toString(NEWEST),
                "--every",
                "10",
                "--keep",
                "all");
        assertThat(trained.code()).isZero();
        checkpoints = verified();
    }

    private static int verified() {
        Cli verified = Cli.run("verify", run.toString(), "--json");
        assertThat(verified.code()).isZero();
        return verified.json().path("checkpoints").asInt();
    }

    /// What is said every few seconds: a busy machine needs them.
    private static final Pattern PROGRESS = Pattern.compile("(checked|step) [0-9].*");

    private record Ended(int code, String out, List<String> err) {}

    /// @param before what the process is started by
    private static Ended cairn(List<String> before, String... arguments) throws Exception {
        Command.Ended ended = Command.java(List.of("--enable-native-access=ALL-UNNAMED"), Main.class, arguments)
                .startedBy(before)
                .run();
        List<String> said = ended.err()
                .lines()
                .filter(line -> !PROGRESS.matcher(line).matches())
                .toList();
        return new Ended(ended.code(), ended.out(), said);
    }

    private static void assertNothingIsLost() {
        assertThat(verified()).isEqualTo(checkpoints);
    }

    /// With 80 the JVM itself may come short, and what it then says is one line with the cure; with 200 it has what it
    /// needs, and the run's chains, however many files they are, need no more than is left.
    @ParameterizedTest
    @ValueSource(ints = {80, 200})
    void fewDescriptorsAreEnoughOrItIsRefused(int limit) throws Exception {
        Path copy = folder.resolve("copy" + limit);
        Command.of("cp", "-r", run.toString(), copy.toString()).succeed();
        Ended ended = cairn(
                List.of("bash", "-c", "ulimit -n " + limit + "; exec \"$@\"", "bash"),
                "train",
                "lr",
                "--run",
                copy.toString(),
                "--steps",
                "203",
                "--every",
                "2",
                "--keep",
                "latest:2",
                "--json");
        assertThat(ended.err()).noneMatch(line -> line.contains("skipped"));
        List<Long> steps = steps(copy);
        if (ended.code() == 0 || limit > 80) {
            assertThat(ended.code()).as("%s", ended.err()).isZero();
            assertThat(ended.out()).contains("\"resumedFromStep\":" + NEWEST);
            assertThat(steps.getLast()).isEqualTo(203);
        } else {
            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.err())
                    .singleElement()
                    .asString()
                    .startsWith("cairn: ")
                    .contains("ulimit -n");
            assertThat(steps).as("none is lost, none is new").isEqualTo(steps(run));
        }
        assertThat(Cli.run("verify", copy.toString()).code()).isZero();
        Cli after = Cli.run("train", "lr", "--run", copy.toString(), "--steps", "204", "--json");
        assertThat(after.json().path("resumedFromStep").asLong()).isEqualTo(steps.getLast());
    }

    /// Those of the checkpoints that are there.
    private static List<Long> steps(Path of) {
        var steps = new ArrayList<Long>();
        for (JsonNode checkpoint : Cli.run("ls", of.toString(), "--json").json().path("checkpoints")) {
            steps.add(checkpoint.path("step").asLong());
        }
        return steps;
    }

    private static Path newestSegment() throws IOException {
        try (Stream<Path> files = Files.list(run.resolve("segments"))) {
            return files.sorted().toList().getLast();
        }
    }

    /// A process of which one system call on one file fails, as often as `when` says.
    private static List<String> failing(Path file, String call, String error, String when) {
        return List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-P",
                file.toString(),
                "-e",
                "trace=" + call,
                "-e",
                "inject=" + call + ":error=" + error + ":when=" + when);
    }

    private static boolean hasStrace() {
        return Command.of("strace", "-V").succeeds();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pread64 EIO", "openat EMFILE", "pread64 ESTALE", "openat ENOMEM"})
    void aCallThatFailsForAMomentIsNoDamage(String fault) throws Exception {
        assumeTrue(hasStrace(), "strace");
        String[] words = fault.split(" ", -1);
        Ended ended = cairn(failing(newestSegment(), words[0], words[1], "1..3"), "verify", run.toString());
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    @Test
    void aFileThatCannotBeReadForGoodIsToldInOneLine() throws Exception {
        assumeTrue(hasStrace(), "strace");
        for (String command : List.of("verify", "repair", "train lr --steps 210 --run")) {
            var arguments = new ArrayList<>(List.of(command.split(" ", -1)));
            arguments.add(run.toString());
            Ended ended = cairn(failing(newestSegment(), "pread64", "EIO", "1+"), arguments.toArray(String[]::new));
            assertThat(ended.err()).as(command).hasSize(1);
            assertThat(ended.err().getFirst())
                    .contains("storage unavailable", newestSegment().toString(), "Input/output error", "tried 8 times");
            assertThat(ended.code()).as(command).isEqualTo(1);
        }
        assertNothingIsLost();
        assertThat(run.resolve("quarantine")).doesNotExist();
    }

    @Test
    void aFolderThatCannotBeLookedAtIsNotToldAsMissing() throws Exception {
        assumeTrue(hasStrace(), "strace");
        Ended ended = cairn(failing(run, "?stat,?newfstatat,?statx", "EIO", "1+"), "ls", run.toString());
        assertThat(ended.err()).singleElement().asString().contains(run + ": Input/output error; check the disk");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void aLockFileThatFailsIsNamedWithTheCure() throws Exception {
        assumeTrue(hasStrace(), "strace");
        Path lock = run.resolve("writer.lock");
        Ended ended = cairn(failing(lock, "pread64", "EIO", "1+"), "merge", run.toString());
        assertThat(ended.err())
                .singleElement()
                .asString()
                .isEqualTo("cairn: cannot write or read " + lock.toRealPath()
                        + ": Input/output error; check the disk or the network that it is on, then start again");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void aSyncThatFailsNamesWhatItWasOfAndTheCure() throws Exception {
        assumeTrue(hasStrace(), "strace");
        Path copy = folder.resolve("unsynced");
        Command.of("cp", "-r", run.toString(), copy.toString()).succeed();
        Path log = copy.resolve("log");
        Ended ended = cairn(failing(log, "fsync", "EIO", "1+"), "prune", copy.toString(), "--keep", "latest:2");
        assertThat(ended.err())
                .singleElement()
                .asString()
                .contains("cannot write or read " + log + ": Input/output error; check the disk");
        assertThat(ended.code()).isEqualTo(1);
    }
}
