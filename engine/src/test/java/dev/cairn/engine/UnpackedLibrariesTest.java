package dev.cairn.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedLibrariesTest {
    @TempDir
    private Path folder;

    @Test
    void whatAKilledProcessLeftIsUnpackedAnew() throws IOException {
        assertThatThrownBy(() -> UnpackedLibraries.unpack(folder, "one-1", () -> {
                    write("one.jar", "torn");
                    throw new UnsatisfiedLinkError("killed");
                }))
                .isInstanceOf(UnsatisfiedLinkError.class);
        UnpackedLibraries.unpack(folder, "one-1", () -> {
            assertThat(folder.resolve("one.jar")).doesNotExist();
            write("one.jar", "whole");
        });
        assertThat(folder.resolve("one.jar/library.so")).hasContent("whole");
    }

    @Test
    void whatIsCompleteStaysForEveryEngine() throws IOException {
        UnpackedLibraries.unpack(folder, "one-1", () -> {
            write("shared.jar", "whole");
            write("one.jar", "whole");
        });
        assertThatThrownBy(() -> UnpackedLibraries.unpack(folder, "two-1", () -> {
                    write("two.jar", "torn");
                    throw new UnsatisfiedLinkError("killed");
                }))
                .isInstanceOf(UnsatisfiedLinkError.class);
        UnpackedLibraries.unpack(
                folder, "one-1", () -> assertThat(folder.resolve("two.jar")).exists()); // not its own, not its business
        UnpackedLibraries.unpack(folder, "two-1", () -> {
            assertThat(folder.resolve("two.jar")).doesNotExist();
            assertThat(folder.resolve("one.jar/library.so")).hasContent("whole");
            assertThat(folder.resolve("shared.jar/library.so")).hasContent("whole");
            write("two.jar", "whole");
        });
        UnpackedLibraries.unpack(
                folder,
                "one-1",
                () -> assertThat(folder.resolve("two.jar/library.so")).hasContent("whole"));
    }

    private void write(String subfolder, String content) {
        try {
            Files.createDirectories(folder.resolve(subfolder));
            Files.writeString(folder.resolve(subfolder).resolve("library.so"), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
