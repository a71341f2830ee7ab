package dev.cairn.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UncachedFileTest {
    private static final int SIZE = (3 << 20) + 4321;

    @TempDir
    private Path folder;

    private Path write() throws IOException {
        byte[] content = new byte[SIZE];
        new Random(1).nextBytes(content);
        return Files.write(folder.resolve("file"), content);
    }

    @Test
    void readsWhatTheFileHasAtAnyOffset() throws IOException {
        Path path = write();
        byte[] content = Files.readAllBytes(path);
        var random = new SplittableRandom(2);
        try (UncachedFile file = UncachedFile.open(path)) {
            assertThat(file.sizeBytes()).isEqualTo(SIZE);
            for (int i = 0; i < 100; i++) {
                int offset = random.nextInt(SIZE);
                int length = random.nextInt(i % 2 == 0 ? 5000 : SIZE);
                byte[] bytes = new byte[length];
                long there = file.read(offset, MemorySegment.ofArray(bytes));
                assertThat(there).isEqualTo(Math.min(length, SIZE - offset));
                assertThat(Arrays.copyOf(bytes, (int) there))
                        .isEqualTo(Arrays.copyOfRange(content, offset, offset + (int) there));
            }
            assertThat(file.read(SIZE + 5000L, MemorySegment.ofArray(new byte[10])))
                    .isZero();
        }
    }

    /// The disk may have other bytes than the cache after a failure of the disk. It must have those that were just
    /// written.
    @Test
    void readsWhatWasJustWrittenThroughTheCache() throws IOException {
        Path path = write();
        try (UncachedFile file = UncachedFile.open(path)) {
            assumeTrue(file.isDirect(), "this file system does not support direct reads");
            Files.write(path, new byte[SIZE]);
            byte[] bytes = new byte[SIZE];
            assertThat(file.read(0, MemorySegment.ofArray(bytes))).isEqualTo(SIZE);
            assertThat(bytes).containsOnly(0);
        }
    }

    @Test
    void aMissingFileIsMissing() {
        assertThatThrownBy(() -> UncachedFile.open(folder.resolve("absent"))).isInstanceOf(NoSuchFileException.class);
    }
}
