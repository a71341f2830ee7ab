package dev.cairn.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Selector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

class ForkOptionTest {
    @TempDir
    Path folder;

    @Test
    void aFolderWithAnAtInItsNameIsARun() throws IOException {
        Path odd = Files.createDirectory(folder.resolve("run@20"));
        var command = CommandSpec.create();
        assertThat(ForkOption.parse(command, odd.toString()))
                .isEqualTo(new ForkOption(odd.toString(), odd, new Selector.Latest()));
        assertThat(ForkOption.parse(command, odd + "@10"))
                .isEqualTo(new ForkOption(odd + "@10", odd, new Selector.AtStep(10)));
    }
}
