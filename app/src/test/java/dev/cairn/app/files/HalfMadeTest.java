package dev.cairn.app.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HalfMadeTest {
    @TempDir
    Path folder;

    @Test
    void whatIsNotFinishedDisappearsWithAllThatIsInIt() throws IOException {
        Path run = folder.resolve("run");
        try (var half = new HalfMade(run)) {
            Files.createDirectories(half.path().resolve("segments"));
            Files.writeString(half.path().resolve("segments/a"), "a");
        }
        assertThat(run).doesNotExist();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatIsFinishedStays() throws IOException {
        Path file = folder.resolve("file");
        try (var half = new HalfMade(file)) {
            Files.writeString(half.path(), "a");
            half.keep();
        }
        assertThat(file).hasContent("a");
    }

    @Test
    void whatNeverCameToBeIsNoError() {
        try (var half = new HalfMade(folder.resolve("absent"))) {
            assertThat(half.path()).doesNotExist();
        }
        assertThat(folder).isEmptyDirectory();
    }

    /// As when a signal ends the process while it is about to finish.
    @Test
    void whatIsRemovedIsNeverPlaced() throws IOException {
        Path file = folder.resolve("file");
        var half = new HalfMade(file);
        Files.writeString(file, "a");
        half.close();
        assertThatThrownBy(() -> half.finish(() -> Files.writeString(folder.resolve("placed"), "a")))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(folder).isEmptyDirectory();
    }
}
