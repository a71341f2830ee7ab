package dev.cairn.store.right;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.Samples;
import dev.cairn.store.blob.HookedBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run from another person, with links to the user's own files: none of them is written or removed.
class LinkedFolderTest {
    private static final String RECORD = "0000000001.rec";

    @TempDir
    Path folder;

    private Path run;
    private Path own;

    @BeforeEach
    void begin() throws IOException {
        run = Files.createDirectory(folder.resolve("run"));
        own = Files.createDirectory(folder.resolve("own"));
        Files.writeString(own.resolve(RECORD), "mine");
        Files.writeString(own.resolve(".tmp-1"), "mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"log", "segments", "lease", "quarantine"})
    void aLinkedFolderKeepsWritersOut(String name) throws IOException {
        Files.createSymbolicLink(run.resolve(name), own);
        for (var locking : WriterClaim.Locking.values()) {
            assertThatThrownBy(() -> WriterRight.take(run, WriterClaim.usual().withLocking(locking)))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("run/" + name + ": a symbolic link inside a run is not followed");
        }
        var blobs = new LocalBlobStore(run);
        String file = name + "/" + RECORD;
        Files.createDirectory(run.resolve("other"));
        Files.writeString(run.resolve("other/file"), "other");
        assertRefused(() -> blobs.createIfAbsent(name + "/new", new byte[1]));
        assertRefused(() -> blobs.write(name + "/new").close());
        assertRefused(() -> blobs.copy("other/file", name + "/new"));
        assertRefused(() -> blobs.copy(file, "other/copy"));
        assertRefused(() -> blobs.delete(file));
        assertRefused(() -> blobs.deleteTemporary(name + "/.tmp-1"));
        assertThat(own).isDirectoryNotContaining(path -> path.endsWith("new"));
        assertThat(own.resolve(RECORD)).hasContent("mine");
        assertThat(own.resolve(".tmp-1")).exists();
    }

    private static void assertRefused(HookedBlobStore.Hook action) {
        assertThatThrownBy(action::run)
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("symbolic link inside a run");
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "link to nothing", "folder", "pipe"})
    void aLockFileThatIsNoneIsLeftAlone(String what) throws Exception {
        Path lock = run.resolve("writer.lock");
        switch (what) {
            case "link" -> Files.createSymbolicLink(lock, own.resolve(RECORD));
            case "link to nothing" -> Files.createSymbolicLink(lock, own.resolve("new"));
            case "folder" -> Files.createDirectory(lock);
            default -> Command.of("mkfifo", lock.toString()).succeed();
        }
        for (var locking : WriterClaim.Locking.values()) {
            assertThatThrownBy(() -> WriterRight.take(run, WriterClaim.usual().withLocking(locking)))
                    .as(what)
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("must be a regular file, not a link, a folder or a pipe; remove it");
        }
        assertThat(own.resolve(RECORD)).hasContent("mine");
        assertThat(own.resolve("new")).doesNotExist();
    }

    @Test
    void theRunItselfMayBeALink() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), run);
        try (WriterRight right = WriterRight.take(link, WriterClaim.usual())) {
            CheckpointWriter writer = CheckpointWriter.open(new CheckpointStore(new LocalBlobStore(link)), right);
            Samples.commit(writer, 1);
        }
        assertThat(run.resolve("log/" + RECORD)).isRegularFile();
    }
}
