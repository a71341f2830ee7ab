package dev.cairn.checkpoint.crash;

import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// A [CrashWorker] in a process of its own, as seen by who is going to kill it.
final class WorkerProcess implements AutoCloseable {
    /// The line of a worker that begins to restore; another follows when it has.
    static final String RESTORING = "restoring";

    private static final long LONGEST_WAIT_NANOS = 200_000_000;
    private static final int MOST_LINES = 24;

    private final ChildProcess process;

    private WorkerProcess(ChildProcess process) {
        this.process = process;
    }

    /// With flags for a short life. Every other codec's files go past the system's cache from their first byte.
    static WorkerProcess start(CrashWorker.Plan plan) throws IOException {
        long directFrom = List.of("full", "lossy").contains(plan.codec()) ? 0 : 16 << 20;
        return new WorkerProcess(Command.java(
                        List.of(
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx128m",
                                "-Dcairn.scalar=true",
                                "-Dcairn.directFrom=" + directFrom),
                        CrashWorker.class,
                        plan.asArguments().toArray(String[]::new))
                .withErrorsInOutput()
                .start());
    }

    /// Returns at a random instant: while it starts, while it restores, saves, merges or removes.
    ///
    /// How long it lives is measured by what it did: by the clock, a busy machine would see all kills at the start.
    void live(Random random) throws InterruptedException {
        if (random.nextInt(6) == 0) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(400));
            return;
        }
        int lines = 1 + random.nextInt(1 + random.nextInt(MOST_LINES));
        long lineNanos = 0;
        for (int i = 0; i < lines; i++) {
            long start = System.nanoTime();
            if (process.nextLine().isEmpty()) {
                return;
            }
            lineNanos = System.nanoTime() - start;
        }
        TimeUnit.NANOSECONDS.sleep((long) (random.nextDouble() * Math.min(lineNanos, LONGEST_WAIT_NANOS)));
    }

    /// Kills it; returns its exit code.
    int kill() throws IOException {
        return process.kill();
    }

    String said() throws IOException {
        return process.out();
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
