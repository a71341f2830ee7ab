package dev.cairn.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void findsTemporariesOfWritersThatDied() throws IOException {
        store().createIfAbsent("log/1", new byte[10]);
        Files.write(folder.resolve("run/log/.tmp-12ab"), new byte[3]);
        var blobs = new LocalBlobStore(folder.resolve("run"));
        assertThat(blobs.temporaries("log/")).containsExactly("log/.tmp-12ab");
        blobs.deleteTemporary("log/.tmp-12ab");
        assertThat(folder.resolve("run/log/.tmp-12ab")).doesNotExist();
        assertThat(folder.resolve("run/log/1")).exists();
    }
}
