package dev.cairn.store.blob;

import dev.cairn.store.blob.BlobStore.BlobReader;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// Reads a file, which need not be open all the time. Failed reads are retried.
final class LocalReader implements BlobReader {
    private static final long LARGEST_TRANSFER = 1 << 30;

    private final String name;
    private final Path path;
    private final OpenFiles files;
    private final ReadPatience patience;

    /// @param name the name of the blob, for people
    LocalReader(String name, Path path, OpenFiles files, ReadPatience patience) {
        this.name = name;
        this.path = path;
        this.files = files;
        this.patience = patience;
    }

    @Override
    public long sizeBytes() throws IOException {
        return patience.read(path, () -> files.use(this, path, FileChannel::size));
    }

    @Override
    public void read(long offset, MemorySegment target) throws IOException {
        patience.read(path, () -> files.use(this, path, channel -> fill(channel, offset, target)));
    }

    private long fill(FileChannel channel, long offset, MemorySegment target) throws IOException {
        long done = 0;
        while (done < target.byteSize()) {
            long length = Math.min(LARGEST_TRANSFER, target.byteSize() - done);
            var buffer = target.asSlice(done, length).asByteBuffer();
            int count = channel.read(buffer, offset + done);
            if (count < 0) {
                throw new EOFException(
                        "%s ends at byte %d, expected %d".formatted(name, channel.size(), offset + target.byteSize()));
            }
            done += count;
        }
        return done;
    }

    @Override
    public void close() throws IOException {
        files.close(this);
    }
}
