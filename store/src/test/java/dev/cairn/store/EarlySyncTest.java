package dev.cairn.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bytes on their way to the disk before the file is whole.
class EarlySyncTest {
    @TempDir
    private Path folder;

    @Test
    void blobsAreWholeWhereverTheyAreSynced() throws IOException {
        var blobs = new LocalBlobStore(folder, 1000);
        byte[] content = new byte[100_000];
        new Random(1).nextBytes(content);
        try (BlobStore.BlobWriter writer = blobs.write("blob")) {
            for (int at = 0; at < content.length; at += 300) {
                writer.append(MemorySegment.ofArray(content).asSlice(at, Math.min(300, content.length - at)));
            }
            writer.finish();
        }
        assertThat(Files.readAllBytes(folder.resolve("blob"))).isEqualTo(content);
    }

    @Test
    void aBlobThatIsDroppedWhileItIsSyncedLeavesNothing() throws IOException {
        var blobs = new LocalBlobStore(folder, 1);
        try (BlobStore.BlobWriter writer = blobs.write("blob")) {
            writer.append(MemorySegment.ofArray(new byte[10_000]));
        }
        assertThat(folder.resolve("blob")).doesNotExist();
    }

    @Test
    void aFailureIsToldAtTheEndAndOnce() throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        channel.close();
        var sync = new EarlySync(channel, 10);
        sync.wrote(9);
        sync.end();
        sync.wrote(1);
        assertThatThrownBy(sync::end).isInstanceOf(ClosedChannelException.class);
        sync.end();
    }
}
