package dev.cairn.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {
    private static final int BYTES = 300_000;

    /// Where files are nowhere but in memory.
    private static final Path IN_MEMORY = Path.of("/dev/shm");

    @TempDir
    Path folder;

    private static byte[] content() {
        byte[] bytes = new byte[BYTES];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static Path write(Path file) throws IOException {
        Files.write(file, content());
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        return file;
    }

    @Test
    void theSystemForgetsFilesAndReadsThemAgain() throws IOException {
        assumeTrue(PageCache.canForget(folder), "a folder on a disk");
        Path file = write(folder.resolve("file"));
        Path inside = write(Files.createDirectory(folder.resolve("more")).resolve("file"));
        Files.createFile(folder.resolve("empty"));
        Path unsynced = Files.write(folder.resolve("unsynced"), content());
        assertThat(PageCache.cachedBytes(file)).isGreaterThanOrEqualTo(BYTES);
        PageCache.forget(folder);
        assertThat(PageCache.cachedBytes(file)).isZero();
        assertThat(PageCache.cachedBytes(inside)).isZero();
        assertThat(PageCache.cachedBytes(unsynced)).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(content());
        assertThat(PageCache.cachedBytes(file)).isGreaterThanOrEqualTo(BYTES);
    }

    @Test
    void whatTheSystemKeepsIsNotTakenForForgotten() throws IOException {
        assumeTrue(Files.isWritable(IN_MEMORY), "/dev/shm");
        Path memory = Files.createTempDirectory(IN_MEMORY, "cairn-");
        Path file = write(memory.resolve("file"));
        try {
            assertThat(PageCache.canForget(memory)).isFalse();
            assertThatThrownBy(() -> PageCache.forget(memory))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("keeps " + file + " in its cache");
        } finally {
            Files.delete(file);
            Files.delete(memory);
        }
    }
}
