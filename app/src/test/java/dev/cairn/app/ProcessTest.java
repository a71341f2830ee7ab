package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What only a process of its own can show: signals, and two of them at one run.
class ProcessTest {
    @TempDir
    Path folder;

    @Test
    void sigtermSavesAndExitsWith75AndTheSameCommandGoesOn() throws Exception {
        Process process = start(100_000);
        waitForSteps(process);
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
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

    private Process start(long steps) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of("train", "lenet", "--run", folder.resolve("run").toString(), "--threads", "1"));
        command.addAll(List.of("--batch", "8", "--every", "50", "--steps", Long.toString(steps), "--trace-steps"));
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("training.log").toFile())
                .start();
    }

    /// Reads until step 60, then lets the process go on unwatched, as it would into a pipe that somebody reads.
    private static void waitForSteps(Process process) throws IOException {
        var output = process.inputReader();
        String line = output.readLine();
        while (line != null && !line.equals("step 60")) {
            line = output.readLine();
        }
        assertThat(line).isEqualTo("step 60");
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
