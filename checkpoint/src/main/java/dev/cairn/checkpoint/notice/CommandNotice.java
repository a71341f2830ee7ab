package dev.cairn.checkpoint.notice;

import dev.cairn.store.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A shell command that runs every few seconds. Its success is a notice. The training never waits for it, and a
/// command that takes too long is killed. For one thread, except for [#close].
public final class CommandNotice implements NoticeSource {
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    /// The exit codes of a shell for a command that it cannot run or find.
    private static final List<Integer> NOT_RUN = List.of(126, 127);

    private final String command;
    private final Clock time;
    private final Consumer<String> warn;
    private volatile @Nullable Process running;
    private @Nullable Long changedNanos;
    private boolean warned;
    private boolean told;

    /// Runs this command.
    ///
    /// @param command the command for `/bin/sh -c`
    /// @param warn receives one warning if the command cannot be run or takes too long
    public CommandNotice(String command, Clock time, Consumer<String> warn) {
        this.command = command;
        this.time = time;
        this.warn = warn;
    }

    @Override
    public Optional<Notice> poll() {
        if (told) {
            return Optional.empty();
        }
        Process process = running;
        if (process == null) {
            if (changedNanos == null || sinceChange().compareTo(INTERVAL) >= 0) {
                start();
            }
            return Optional.empty();
        }
        if (process.isAlive()) {
            if (sinceChange().compareTo(LONGEST) >= 0) {
                warnOnce("notice command '%s' was killed: it took over %d s".formatted(command, LONGEST.toSeconds()));
                end(process);
            }
            return Optional.empty();
        }
        running = null;
        changedNanos = time.nanos();
        int code = process.exitValue();
        if (NOT_RUN.contains(code)) {
            warnOnce("notice command '%s' cannot be run: exit code %d".formatted(command, code));
        }
        told = code == 0;
        return told ? Optional.of(new Notice("command '" + command + "'", null, false)) : Optional.empty();
    }

    @Override
    public void close() {
        Process process = running;
        if (process != null) {
            end(process);
        }
    }

    boolean isRunning() {
        return running != null;
    }

    private void start() {
        changedNanos = time.nanos();
        try {
            Process process = new ProcessBuilder("/bin/sh", "-c", command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close(); // The command gets no input.
            running = process;
        } catch (IOException e) {
            warnOnce("notice command '%s' cannot be run: %s".formatted(command, e.getMessage()));
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private Duration sinceChange() {
        return changedNanos == null ? Duration.ZERO : Duration.ofNanos(time.nanos() - changedNanos);
    }

    private void warnOnce(String warning) {
        if (!warned) {
            warned = true;
            warn.accept(warning);
        }
    }
}
