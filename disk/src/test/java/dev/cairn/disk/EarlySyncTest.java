package dev.cairn.disk;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bytes are sent to the disk before the file is complete.
class EarlySyncTest {
    @TempDir
    private Path folder;

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
