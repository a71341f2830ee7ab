package dev.cairn.bench.observe;

import dev.cairn.bench.FreshProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A process that stands still whenever it is not its turn: SIGSTOP takes the processor from all of its threads at
/// once. So several programs can be measured side by side, a moment each, and none of them takes time from another.
final class TurnProcess implements AutoCloseable {
    private static final int STOP = 19;
    private static final int CONTINUE = 18;

    private final Process process;
    private final BufferedReader output;
    private final Path log;

    /// Starts this class in a process of its own. It goes on at once.
    TurnProcess(Path folder, String main, List<String> flags, List<String> arguments) throws IOException {
        this.log = Files.createTempFile(folder, "turn-", ".log");
        this.process = new ProcessBuilder(FreshProcess.command(main, flags, arguments))
                .redirectError(log.toFile())
                .start();
        this.output = process.inputReader();
    }

    /// The next line that it prints.
    String line() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw ended();
        }
        return line;
    }

    void stop() {
        signal(STOP);
    }

    void goOn() {
        signal(CONTINUE);
    }

    /// The processor time of all its threads so far, in hundredths of a second.
    Duration cpu() throws IOException {
        Optional<Duration> cpu = process.info().totalCpuDuration();
        if (cpu.isEmpty()) {
            throw ended();
        }
        return cpu.get();
    }

    private IOException ended() throws IOException {
        return new IOException("a measured process ended: " + Files.readString(log));
    }

    private void signal(int number) {
        try {
            int failed = (int) Calls.KILL.invokeExact((int) process.pid(), number);
            if (failed != 0) {
                throw new IllegalStateException("no process " + process.pid());
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /// Linked once, when first needed.
    private static final class Calls {
        static final MethodHandle KILL = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }
}
