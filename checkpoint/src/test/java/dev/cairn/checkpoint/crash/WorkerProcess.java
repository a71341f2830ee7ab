package dev.cairn.checkpoint.crash;

import dev.cairn.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// A [CrashWorker] in a process of its own, as seen by who is going to kill it.
final class WorkerProcess implements AutoCloseable {
    static final int SIGKILLED = 128 + 9;
    /// The line of a worker that begins to restore; another follows when it has.
    static final String RESTORING = "restoring";

    private static final long LONGEST_WAIT_NANOS = 200_000_000;
    private static final int MOST_LINES = 24;

    private final Process process;
    private final BufferedReader output;
    private final StringBuilder said = new StringBuilder();

    private WorkerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /// With flags for a short life. Every other codec's files go past the system's cache from their first byte.
    static WorkerProcess start(CrashWorker.Plan plan) throws IOException {
        long directFrom = List.of("full", "lossy").contains(plan.codec()) ? 0 : 16 << 20;
        return new WorkerProcess(java(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-Dcairn.scalar=true",
                        "-Dcairn.directFrom=" + directFrom),
                CrashWorker.class,
                plan.asArguments()));
    }

    /// Starts Java as this one was, to run another main.
    static Process java(List<String> flags, Class<?> main, List<String> arguments) throws IOException {
        return new ProcessBuilder(JavaProcess.command(flags, main, arguments.toArray(String[]::new)))
                .redirectErrorStream(true)
                .start();
    }

    /// Returns at a random instant: while it starts, while it restores, saves, merges or removes.
    ///
    /// How long it lives is measured by what it did: by the clock, a busy machine would see all kills at the start.
    void live(Random random) throws IOException, InterruptedException {
        if (random.nextInt(6) == 0) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(400));
            return;
        }
        int lines = 1 + random.nextInt(1 + random.nextInt(MOST_LINES));
        long lineNanos = 0;
        for (int i = 0; i < lines; i++) {
            long start = System.nanoTime();
            String line = output.readLine();
            if (line == null) {
                return;
            }
            said.append(line).append('\n');
            lineNanos = System.nanoTime() - start;
        }
        TimeUnit.NANOSECONDS.sleep((long) (random.nextDouble() * Math.min(lineNanos, LONGEST_WAIT_NANOS)));
    }

    /// Kills it; returns all that it said.
    String kill() throws InterruptedException {
        // Not by the process itself, which would close the output too.
        process.toHandle().destroyForcibly();
        output.lines().forEach(line -> said.append(line).append('\n'));
        process.waitFor();
        return said.toString();
    }

    int exitValue() {
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        output.close();
    }
}
