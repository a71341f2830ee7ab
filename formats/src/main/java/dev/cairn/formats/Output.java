package dev.cairn.formats;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A new file that is written from its beginning on; what was written may be changed once more.
final class Output implements AutoCloseable {
    private static final long AT_ONCE = 1 << 20;

    /// What was written so far is on its way to the disk while the rest is made.
    private static final long SYNC_BYTES = 32 << 20;

    private final FileChannel channel;
    private long position;
    private long synced;

    private Output(FileChannel channel) {
        this.channel = channel;
    }

    /// Creates a file that must not exist yet.
    static Output create(Path file) throws IOException {
        return new Output(FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    /// How many bytes there are.
    long position() {
        return position;
    }

    void append(MemorySegment bytes) throws IOException {
        write(position, bytes);
        position += bytes.byteSize();
        if (position - synced >= SYNC_BYTES) {
            channel.force(false);
            synced = position;
        }
    }

    void append(byte[] bytes) throws IOException {
        append(MemorySegment.ofArray(bytes));
    }

    /// Writes over bytes that are there.
    void change(long at, byte[] bytes) throws IOException {
        write(at, MemorySegment.ofArray(bytes));
    }

    void finish() throws IOException {
        channel.force(true);
    }

    private void write(long at, MemorySegment bytes) throws IOException {
        for (long done = 0; done < bytes.byteSize(); done += AT_ONCE) {
            ByteBuffer buffer = bytes.asSlice(done, Math.min(AT_ONCE, bytes.byteSize() - done))
                    .asByteBuffer();
            for (long to = at + done; buffer.hasRemaining(); ) {
                to += channel.write(buffer, to);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
