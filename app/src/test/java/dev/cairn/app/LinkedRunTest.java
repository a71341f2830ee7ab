package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run from somebody else, with links to a file of the user's where a command writes.
class LinkedRunTest {
    @TempDir
    Path folder;

    private Path run;
    private Path own;

    @BeforeEach
    void begin() throws IOException {
        run = folder.resolve("run");
        Files.createDirectories(run.resolve("log"));
        own = Files.writeString(folder.resolve("own"), "mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"train lr --run RUN --steps 1", "repair RUN", "prune RUN --keep latest:1", "merge RUN"})
    void aLinkedLockFileIsOneLineAndNothingIsWritten(String command) throws IOException {
        Files.createSymbolicLink(run.resolve("writer.lock"), own);
        Cli refused = Cli.run(command.replace("RUN", run.toString()).split(" "));
        assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err().lines()).singleElement().asString().contains("writer.lock", "remove it");
        assertThat(own).hasContent("mine");
    }

    /// Two of them would be one folder.
    @Test
    void aNameThatIsNoTextIsRefused() {
        Cli refused =
                Cli.run("train", "lr", "--run", folder.resolve("caf\uFFFD").toString(), "--steps", "1");
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err().lines()).singleElement().asString().contains("not valid", "rename it");
        assertThat(folder).isDirectoryNotContaining("glob:**caf*");
    }
}
