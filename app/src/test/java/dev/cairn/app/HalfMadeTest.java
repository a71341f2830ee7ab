package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
}
