package dev.cairn.checkpoint.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.ManualClock;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CommandNoticeTest {
    private final Path folder;
    private final ManualClock time = new ManualClock();
    private final List<String> warnings = new ArrayList<>();

    CommandNoticeTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void successIsANoticeAndTellsItOnce() throws IOException {
        Path log = folder.resolve("log");
        String command = "echo run >> '%s'; test -e '%s'".formatted(log, folder.resolve("go"));
        try (var source = source(command)) {
            source.poll();
            pollUntil(source, () -> lines(log) == 1);
            drain(source);
            time.advance(Duration.ofSeconds(4));
            assertThat(source.poll()).isEmpty();
            assertThat(lines(log)).as("runs every five seconds").isEqualTo(1);

            Files.createFile(folder.resolve("go"));
            time.advance(Duration.ofSeconds(1));
            assertThat(firstNotice(source)).isEqualTo(new Notice("command '" + command + "'", null, false));
            time.advance(Duration.ofSeconds(60));
            assertThat(source.poll()).isEmpty();
            assertThat(lines(log)).isEqualTo(2);
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void aCommandThatTakesTooLongIsKilledWithOneWarning() throws IOException {
        Path pid = folder.resolve("pid");
        try (var source = source("echo $$ > '%s'; sleep 60".formatted(pid))) {
            source.poll();
            pollUntil(source, () -> lines(pid) == 1);
            ProcessHandle process = ProcessHandle.of(
                            Long.parseLong(Files.readString(pid).strip()))
                    .orElseThrow();
            time.advance(Duration.ofSeconds(10));
            assertThat(source.poll()).isEmpty();
            process.onExit().join();
            assertThat(warnings).singleElement().asString().contains("sleep 60", "killed", "10 s");
        }
    }

    @Test
    void aCommandThatCannotBeRunIsNoNoticeAndWarnsOnce() {
        try (var source = source("/no/such/command")) {
            source.poll();
            pollUntil(source, () -> !warnings.isEmpty());
            time.advance(Duration.ofSeconds(5));
            source.poll();
            assertThat(warnings).singleElement().asString().contains("cannot be run: exit code 127");
        }
    }

    @Test
    void closingEndsTheCommand() throws IOException {
        Path pid = folder.resolve("pid");
        var source = source("echo $$ > '%s'; sleep 60".formatted(pid));
        source.poll();
        pollUntil(source, () -> lines(pid) == 1);
        var process =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        source.close();
        assertThat(process.onExit().join().isAlive()).isFalse();
    }

    private CommandNotice source(String command) {
        return new CommandNotice(command, time, warnings::add);
    }

    private static void pollUntil(CommandNotice source, BooleanSupplier done) {
        Eventually.holds("the command has done it", () -> {
            boolean is = done.getAsBoolean();
            if (!is) {
                assertThat(source.poll()).isEmpty();
            }
            return is;
        });
    }

    /// Until the command that has done its work has ended, too: then a poll sees it.
    private static void drain(CommandNotice source) {
        Eventually.holds("the command has ended", () -> {
            boolean running = source.isRunning();
            if (running) {
                assertThat(source.poll()).isEmpty();
            }
            return !running;
        });
    }

    private static Notice firstNotice(CommandNotice source) {
        return Eventually.get("a notice", source::poll);
    }

    private static long lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
