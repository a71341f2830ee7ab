package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What only a process of its own can show: signals, and two of them at one run.
class ProcessTest {
    @TempDir
    Path folder;

    @Test
    void sigtermSavesAndExitsWith75AndTheSameCommandGoesOn() throws Exception {
        try (ChildProcess process = start(100_000)) {
            process.awaitLine("step 60");
            process.signal("TERM");
            assertThat(process.end()).isEqualTo(75);
            long saved = newestStep();
            assertThat(saved).isPositive();
            Cli resumed = Cli.run(
                    "train",
                    "lenet",
                    "--run",
                    folder.resolve("run").toString(),
                    "--steps",
                    Long.toString(saved + 5),
                    "--json");
            assertThat(resumed.json().path("resumedFromStep").asLong()).isEqualTo(saved);
        }
    }

    @Test
    void aSecondLiveProcessIsRefusedByName() throws Exception {
        try (ChildProcess process = start(100_000)) {
            process.awaitLine("step 60");
            Cli second =
                    Cli.run("train", "lenet", "--run", folder.resolve("run").toString());
            assertThat(second.code()).isEqualTo(1);
            assertThat(second.err().lines())
                    .singleElement()
                    .asString()
                    .contains("run is in use", "process " + process.pid(), "since 20");
        }
        assertThat(Cli.run("train", "lenet", "--run", folder.resolve("run").toString(), "--steps", "1")
                        .code())
                .isZero();
    }

    @Test
    void aFileThatAppearsIsANotice() throws Exception {
        Path file = folder.resolve("stop");
        try (ChildProcess process = start(100_000, "--notice-file", file.toString())) {
            process.awaitLine("step 60");
            Files.writeString(file, "60");
            assertThat(process.end()).isEqualTo(75);
            assertThat(lastLine(process))
                    .contains("stopped on file " + file + " at step " + newestStep() + " and saved");
        }
    }

    @Test
    void aSecondSignalGivesTheLastSaveUpAndLeavesTheLastCheckpoint() throws Exception {
        // A step of this size takes longer than it takes to hear of a signal; stopped, the process makes no headway
        // until the second comes.
        try (ChildProcess process = start(100, "--batch", "4096", "--every", "1")) {
            process.awaitLine("step 1");
            Eventually.holds("a checkpoint", () -> Files.exists(folder.resolve("run/log/0000000001.rec")));
            process.signal("TERM");
            Eventually.holds("the notice is heard", () -> hasThread(process, "cairn-stop"));
            process.signal("STOP");
            TimeUnit.MILLISECONDS.sleep(300); // what comes sooner after the first is no second notice
            process.signal("USR1");
            process.signal("CONT");
            assertThat(process.end()).isEqualTo(75);
            assertThat(lastLine(process))
                    .isEqualTo(
                            "cairn: stopped on SIGTERM without a last save: it was cancelled because a second notice came (SIGUSR1); "
                                    + "the last checkpoint is of step " + newestStep()
                                    + "; start the same command again to continue");
            assertThat(newestStep()).isBetween(1L, 99L);
            assertThat(Cli.run("verify", folder.resolve("run").toString()).code())
                    .isZero();
        }
    }

    @Test
    void aSignalBeforeTheFirstStepEndsAtOnceAndSavesNothing() throws Exception {
        // a first step that takes its time
        try (ChildProcess process = start(100, "--batch", "4096", "--every", "1")) {
            Eventually.holds("the run is taken", () -> Files.exists(folder.resolve("run/writer.lock")));
            process.signal("TERM");
            assertThat(process.end()).isEqualTo(75);
            assertThat(lastLine(process))
                    .startsWith("cairn: stopped on SIGTERM before the first step: nothing was trained");
            assertThat(folder.resolve("run/log/0000000001.rec")).doesNotExist();
        }
    }

    /// Whether the process has a thread of this name: the one that watches over the end begins with the first notice.
    private static boolean hasThread(ChildProcess process, String name) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                if (Files.readString(thread.resolve("comm")).strip().equals(name)) {
                    return true;
                }
            }
        } catch (NoSuchFileException | UncheckedIOException ended) {
            return false; // a thread, while it was looked at
        }
        return false;
    }

    private static String lastLine(ChildProcess process) throws IOException {
        return process.err().lines().toList().getLast();
    }

    private ChildProcess start(long steps, String... more) throws IOException {
        var arguments = new ArrayList<>(
                List.of("train", "lenet", "--run", folder.resolve("run").toString(), "--threads", "1"));
        arguments.addAll(List.of("--steps", Long.toString(steps), "--trace-steps"));
        List<String> options = List.of(more);
        if (!options.contains("--batch")) {
            arguments.addAll(List.of("--batch", "8", "--every", "50"));
        }
        arguments.addAll(options);
        return Command.java(List.of("--enable-native-access=ALL-UNNAMED"), Main.class, arguments.toArray(String[]::new))
                .start();
    }

    private long newestStep() {
        var list =
                Cli.run("ls", folder.resolve("run").toString(), "--json").json().path("checkpoints");
        assertThat(Files.isDirectory(folder.resolve("run/log"))).isTrue();
        return list.path(list.size() - 1).path("step").asLong();
    }
}
