package dev.cairn.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.text.Json;
import dev.cairn.store.Clock;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A training in a separate process, which can be watched step by step and killed.
public final class TrainingProcess implements AutoCloseable {
    private static final String STEP = "step ";

    private final long startNanos = Clock.system().nanos();
    private final Process process;
    private final BufferedReader output;
    private @Nullable Duration untilFirstStep;
    private long lastStep;

    private TrainingProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(UTF_8);
    }

    public static TrainingProcess start(Path log, List<String> trainArguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Dcairn.terminal=false");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.cairn.app.Main", "train"));
        command.addAll(trainArguments);
        command.addAll(List.of("--json", "--trace-steps"));
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        return new TrainingProcess(builder.start());
    }

    /// Watches until the training reaches this step. Returns false if the process ended before.
    public boolean watchUntil(long step, LongConsumer onStep) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(STEP)) {
                stepSeen(Long.parseLong(line.substring(STEP.length())), onStep);
                if (lastStep >= step) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Watches to the end and returns the result document, or throws if the training failed.
    public ObjectNode watchToEnd(LongConsumer onStep) throws IOException {
        String result = "";
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(STEP)) {
                stepSeen(Long.parseLong(line.substring(STEP.length())), onStep);
            } else {
                result = line;
            }
        }
        int code = await();
        if (code != ExitCode.DONE) {
            throw new IOException("the training process ended with exit code " + code + " at step " + lastStep);
        }
        return Json.parse(result);
    }

    /// Kills the process with SIGKILL, so that it cannot do anything more.
    public void kill() throws IOException {
        process.destroyForcibly();
        await();
    }

    public long lastStep() {
        return lastStep;
    }

    /// The time from the start of the process to the end of its first step.
    Duration untilFirstStep() {
        return untilFirstStep == null ? Duration.ofNanos(Clock.system().nanos() - startNanos) : untilFirstStep;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void stepSeen(long step, LongConsumer onStep) {
        lastStep = step;
        if (untilFirstStep == null) {
            untilFirstStep = Duration.ofNanos(Clock.system().nanos() - startNanos);
        }
        onStep.accept(step);
    }

    private int await() throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the training process", e);
        }
    }
}
