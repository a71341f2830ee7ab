package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testkit.JavaProcess;
import java.io.BufferedReader;
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
    /// For what takes a second or two on a free machine.
    private static final long PATIENCE_SECONDS = 300;

    @TempDir
    Path folder;

    @Test
    void sigtermSavesAndExitsWith75AndTheSameCommandGoesOn() throws Exception {
        Process process = start(100_000);
        waitForSteps(process);
        process.destroy();
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(75);
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

    @Test
    void aSecondLiveProcessIsRefusedByName() throws Exception {
        Process process = start(100_000);
        try {
            waitForSteps(process);
            Cli second =
                    Cli.run("train", "lenet", "--run", folder.resolve("run").toString());
            assertThat(second.code()).isEqualTo(1);
            assertThat(second.err().lines())
                    .singleElement()
                    .asString()
                    .contains("run is in use", "process " + process.pid(), "since 20");
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(Cli.run("train", "lenet", "--run", folder.resolve("run").toString(), "--steps", "1")
                        .code())
                .isZero();
    }

    @Test
    void aFileThatAppearsIsANotice() throws Exception {
        Path file = folder.resolve("stop");
        Process process = start(100_000, "--notice-file", file.toString());
        waitForSteps(process);
        Files.writeString(file, "60");
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(75);
        assertThat(lastLine()).contains("stopped on file " + file + " at step " + newestStep() + " and saved");
    }

    @Test
    void aSecondSignalGivesTheLastSaveUpAndLeavesTheLastCheckpoint() throws Exception {
        // A step of this size takes longer than it takes to hear of a signal; stopped, the process makes no headway
        // until the second comes.
        Process process = start(100, "--batch", "4096", "--every", "1");
        waitFor(process, "step 1");
        await(() -> Files.exists(folder.resolve("run/log/0000000001.rec")));
        signal(process, "TERM");
        await(() -> hasThread(process, "cairn-stop"));
        signal(process, "STOP");
        TimeUnit.MILLISECONDS.sleep(300); // what comes sooner after the first is no second notice
        signal(process, "USR1");
        signal(process, "CONT");
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(75);
        assertThat(lastLine())
                .isEqualTo(
                        "cairn: stopped on SIGTERM without a last save: it was cancelled because a second notice came (SIGUSR1); "
                                + "the last checkpoint is of step " + newestStep()
                                + "; start the same command again to continue");
        assertThat(newestStep()).isBetween(1L, 99L);
        assertThat(Cli.run("verify", folder.resolve("run").toString()).code()).isZero();
    }

    @Test
    void aSignalBeforeTheFirstStepEndsAtOnceAndSavesNothing() throws Exception {
        Process process = start(100, "--batch", "4096", "--every", "1"); // a first step that takes its time
        await(() -> Files.exists(folder.resolve("run/writer.lock")));
        signal(process, "TERM");
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(75);
        assertThat(lastLine()).startsWith("cairn: stopped on SIGTERM before the first step: nothing was trained");
        assertThat(folder.resolve("run/log/0000000001.rec")).doesNotExist();
    }

    /// Something that comes to be true.
    private interface Event {
        boolean happened() throws IOException;
    }

    private static void await(Event event) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!event.happened()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    /// Whether the process has a thread of this name: the one that watches over the end begins with the first notice.
    private static boolean hasThread(Process process, String name) throws IOException {
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

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private String lastLine() throws IOException {
        return Files.readAllLines(folder.resolve("training.log")).getLast();
    }

    private Process start(long steps, String... more) throws IOException {
        var command = new ArrayList<>(JavaProcess.command(List.of("--enable-native-access=ALL-UNNAMED"), Main.class));
        command.addAll(List.of("train", "lenet", "--run", folder.resolve("run").toString(), "--threads", "1"));
        command.addAll(List.of("--steps", Long.toString(steps), "--trace-steps"));
        List<String> options = List.of(more);
        if (!options.contains("--batch")) {
            command.addAll(List.of("--batch", "8", "--every", "50"));
        }
        command.addAll(options);
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("training.log").toFile())
                .start();
    }

    /// Reads until step 60, then lets the process go on unwatched, as it would into a pipe that somebody reads.
    private static void waitForSteps(Process process) throws IOException {
        waitFor(process, "step 60");
    }

    private static void waitFor(Process process, String wanted) throws IOException {
        var output = process.inputReader();
        String line = output.readLine();
        while (line != null && !line.equals(wanted)) {
            line = output.readLine();
        }
        assertThat(line).isEqualTo(wanted);
        Thread.ofVirtual().start(() -> drain(output));
    }

    private static void drain(BufferedReader output) {
        try {
            while (output.readLine() != null) {
                // Nobody needs the rest.
            }
        } catch (IOException closed) {
            // The process was killed.
        }
    }

    private long newestStep() {
        var list =
                Cli.run("ls", folder.resolve("run").toString(), "--json").json().path("checkpoints");
        assertThat(Files.isDirectory(folder.resolve("run/log"))).isTrue();
        return list.path(list.size() - 1).path("step").asLong();
    }
}
