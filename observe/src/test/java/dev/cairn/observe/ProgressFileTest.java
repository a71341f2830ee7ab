package dev.cairn.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Clock;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A run from an untrusted source, with a link or a pipe in the place of the progress file.
class ProgressFileTest {
    @TempDir
    Path folder;

    private Path run;
    private Path own;

    @BeforeEach
    void begin() throws IOException {
        run = Files.createDirectory(folder.resolve("run"));
        own = Files.writeString(folder.resolve("own"), "mine");
    }

    @Test
    void progressIsNotWrittenThroughALink() throws IOException {
        Files.createSymbolicLink(run.resolve("progress.jsonl"), own);
        writeLast();
        assertThat(own).hasContent("mine");
        Files.delete(run.resolve("progress.jsonl"));
        Files.createSymbolicLink(run.resolve("progress.jsonl"), folder.resolve("new"));
        writeLast();
        assertThat(folder.resolve("new")).doesNotExist();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
    void aPipeDoesNotHoldTheTrainingUp() throws Exception {
        Path pipe = run.resolve("progress.jsonl");
        Command.of("mkfifo", pipe.toString()).succeed();
        writeLast();
        Files.delete(pipe);
        writeLast();
        assertThat(pipe).isRegularFile();
    }

    private void writeLast() {
        var progress = new TrainingProgress(Clock.system());
        for (int step = 1; step <= 2; step++) {
            progress.on(new TrainingEvent.StepMade(Instant.EPOCH, step, 0, 0.5, 0.01, 64));
        }
        new ProgressFile(run, progress, Clock.system()).close();
    }
}
