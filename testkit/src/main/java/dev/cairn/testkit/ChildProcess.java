package dev.cairn.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A process that a test starts. It ends with the test, and never blocks because its output is not read. Every wait
/// has the limit of [Eventually]; if it fails, the message contains the output of the process. Not thread-safe.
public final class ChildProcess implements AutoCloseable {
    /// The exit code of a process that was killed.
    public static final int KILLED = 128 + 9;

    private final String name;
    private final Process process;
    private final PrintWriter input;
    private final Growing out;
    private final Growing err;

    private ChildProcess(String name, Process process, Growing out, Growing err) {
        this.name = name;
        this.process = process;
        this.input = new PrintWriter(process.outputWriter(UTF_8), true);
        this.out = out;
        this.err = err;
    }

    static ChildProcess start(Command command) throws IOException {
        Path out = Files.createTempFile("child", ".out");
        Path err = Files.createTempFile("child", ".err");
        try {
            var builder = new ProcessBuilder(command.words())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .redirectErrorStream(command.errors() == Command.Errors.IN_OUTPUT);
            builder.environment().putAll(command.environment());
            Process process = builder.start();
            return new ChildProcess(String.join(" ", command.words()), process, new Growing(out), new Growing(err));
        } finally {
            // Both sides have them open. A name would stay behind if this process were killed.
            Files.delete(out);
            Files.delete(err);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// All its output so far.
    public String out() throws IOException {
        return out.text();
    }

    /// All its errors so far.
    public String err() throws IOException {
        return err.text();
    }

    /// Waits for the next whole line of its output. Empty if the process has ended.
    public Optional<String> nextLine() {
        return Eventually.get("a line of " + name, () -> {
            boolean ended = !process.isAlive();
            Optional<String> line = out.nextLine();
            return line.isPresent() || ended ? Optional.of(line) : Optional.empty();
        });
    }

    /// Waits for this line of its output and skips the lines before it. Fails if the process ends without it.
    public void awaitLine(String wanted) throws IOException {
        Optional<String> line = nextLine();
        while (!line.equals(Optional.of(wanted))) {
            if (line.isEmpty()) {
                throw new AssertionError("ended without '%s': %s".formatted(wanted, said()));
            }
            line = nextLine();
        }
    }

    /// Writes a line for it to read.
    public void tell(String line) {
        input.println(line);
    }

    /// Closes its input.
    public void tellNoMore() {
        input.close();
    }

    /// Sends it a signal, such as `STOP`.
    public void signal(String signal) throws IOException {
        Command.of("kill", "-" + signal, Long.toString(pid())).succeed();
    }

    /// Kills it, if it has not ended.
    ///
    /// @return its exit code, which is [#KILLED] if it had not
    public int kill() throws IOException {
        process.destroyForcibly();
        return end();
    }

    /// Returns its exit code when it has ended.
    public int end() throws IOException {
        try {
            if (process.waitFor(Eventually.BOUND.toNanos(), TimeUnit.NANOSECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the end of " + said(), e);
        }
        process.destroyForcibly();
        throw new AssertionError("not ended within %s: %s".formatted(Eventually.BOUND, said()));
    }

    private String said() throws IOException {
        return name + ": " + out() + err();
    }

    /// Kills it, and returns when it has ended. Its output can still be read.
    @Override
    public void close() throws IOException {
        kill();
        input.close();
        out.close();
        err.close();
    }
}
