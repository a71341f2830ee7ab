package dev.cairn.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.ManualClock;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBlobStoreTest extends BlobStoreContract {
    @TempDir
    Path folder;

    @Override
    protected BlobStore store() {
        return new LocalBlobStore(folder.resolve("run"));
    }

    @Test
    void leavesNoTemporaryFiles() throws IOException {
        store().createIfAbsent("log/1", new byte[10]);
        try (var files = Files.list(folder.resolve("run/log"))) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).containsExactly("1");
        }
    }

    @Test
    void saysWhetherItsFolderExists() throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[1]);
        assertThat(new LocalBlobStore(folder).hasFolder()).isTrue();
        assertThat(new LocalBlobStore(folder.resolve("absent")).hasFolder()).isFalse();
        assertThat(new LocalBlobStore(file).hasFolder()).isFalse();
        assertThat(new LocalBlobStore(file.resolve("below")).hasFolder()).isFalse();
    }

    /// A path that leads nowhere is a mistake of the user: it is reported at once, and not as an absent folder.
    @Test
    void aPathThatCannotBeResolvedIsNotAnAbsentFolder() throws IOException {
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        for (Path path : List.of(loop, folder.resolve("a".repeat(300)))) {
            var clock = new ManualClock();
            assertThatThrownBy(() -> new LocalBlobStore(path, clock).hasFolder())
                    .isInstanceOf(FileSystemException.class)
                    .isNotInstanceOf(NoSuchFileException.class);
            assertThat(clock.elapsed()).isZero();
        }
    }

    @Test
    void findsTemporariesOfWritersThatDied() throws IOException {
        store().createIfAbsent("log/1", new byte[10]);
        Files.write(folder.resolve("run/log/.tmp-12ab"), new byte[3]);
        var blobs = new LocalBlobStore(folder.resolve("run"));
        assertThat(blobs.temporaries("log/")).containsExactly("log/.tmp-12ab");
        blobs.deleteTemporary("log/.tmp-12ab");
        assertThat(folder.resolve("run/log/.tmp-12ab")).doesNotExist();
        assertThat(folder.resolve("run/log/1")).exists();
    }

    /// The writer's own in the run's folder, and not those of other programs.
    @Test
    void findsTemporariesBesideTheFolders() throws IOException {
        store().createIfAbsent("log/1", new byte[10]);
        Files.write(folder.resolve("run/.tmp-0123456789abcdef"), new byte[3]);
        Files.write(folder.resolve("run/.tmp-job.json"), new byte[3]);
        var blobs = new LocalBlobStore(folder.resolve("run"));
        assertThat(blobs.temporaries("")).containsExactly(".tmp-0123456789abcdef");
        blobs.deleteTemporary(".tmp-0123456789abcdef");
        assertThat(blobs.temporaries("")).isEmpty();
    }
}
