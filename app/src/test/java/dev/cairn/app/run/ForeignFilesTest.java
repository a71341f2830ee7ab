package dev.cairn.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

class ForeignFilesTest {
    @TempDir
    Path run;

    /// A start that was killed before its first record leaves some of them.
    @Test
    void theFoldersOfARunAreNotForeign() throws Exception {
        for (String folder : folders()) {
            Files.createDirectory(run.resolve(folder));
        }
        Files.createFile(run.resolve(RunFiles.LOCK));
        Files.createFile(run.resolve(RunFiles.PROGRESS));
        Files.createFile(run.resolve(RunFiles.TEMPORARY_PREFIX + "1"));
        assertThatCode(this::refuse).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes.txt", "logs", "0000000001.rec"})
    void otherFilesAre(String name) throws IOException {
        Files.createFile(run.resolve(name));
        assertThatThrownBy(this::refuse)
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("it contains '%s', which does not belong in a run", name);
    }

    @Test
    void theListOfFoldersIsComplete() throws Exception {
        assertThat(RunFiles.FOLDERS).containsExactlyInAnyOrderElementsOf(folders());
    }

    /// The constants of [RunFiles] that name folders.
    private static List<String> folders() throws IllegalAccessException {
        var found = new ArrayList<String>();
        for (Field field : RunFiles.class.getFields()) {
            if (field.get(null) instanceof String name && name.endsWith("/")) {
                found.add(name);
            }
        }
        assertThat(found).hasSizeGreaterThan(4);
        return found;
    }

    private void refuse() throws IOException {
        ForeignFiles.refuse(new CommandLine(CommandSpec.create()).getCommandSpec(), new RunLocation.Folder(run));
    }
}
