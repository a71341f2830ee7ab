package dev.cairn.bench.transfer;

import dev.cairn.bench.FreshProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs a command of this program in a separate process with little memory, as a user would start it.
final class CommandProcess {
    /// The limit for the heap and for direct buffers.
    static final List<String> MEMORY = List.of("-Xmx256m", "-XX:MaxDirectMemorySize=128m");

    private static final int POLL_MILLIS = 20;

    private CommandProcess() {}

    /// @param peakBytes the largest observed memory of the process without mapped files; 0 if the system does not
    ///     report it
    record Outcome(long nanos, long peakBytes) {}

    /// @param main the name of the program's main class
    static Outcome run(String main, Path log, String... arguments) throws IOException {
        List<String> command = FreshProcess.command(main, MEMORY, List.of(arguments));
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long peak = 0;
        try {
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                peak = Math.max(peak, ownBytes(process.pid()));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        long nanos = System.nanoTime() - start;
        if (process.exitValue() != 0) {
            throw new IOException("cairn %s: %s".formatted(String.join(" ", arguments), Files.readString(log)));
        }
        return new Outcome(nanos, peak);
    }

    private static long ownBytes(long pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
                if (line.startsWith("RssAnon:")) {
                    return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
        } catch (IOException | NumberFormatException ended) {
            return 0;
        }
        return 0;
    }
}
