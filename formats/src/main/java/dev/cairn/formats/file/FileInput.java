package dev.cairn.formats.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file on disk.
public final class FileInput implements Input {
    /// The maximum size of one read. A buffer on the heap is copied through another buffer of that size.
    private static final long AT_ONCE = 1 << 20;

    private final Path file;
    private final FileChannel channel;
    private final long sizeBytes;

    private FileInput(Path file, FileChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.sizeBytes = channel.size();
    }

    /// Opens a file.
    ///
    /// @throws UnsupportedException if it is a folder, a pipe or a device
    public static FileInput open(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (!Files.isRegularFile(file)) {
            throw new UnsupportedException(file.toString(), "not a file; name the file that holds the tensors");
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new FileInput(file, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public void read(long position, MemorySegment target) throws IOException {
        for (long done = 0; done < target.byteSize(); done += AT_ONCE) {
            ByteBuffer buffer = target.asSlice(done, Math.min(AT_ONCE, target.byteSize() - done))
                    .asByteBuffer();
            for (long at = position + done; buffer.hasRemaining(); ) {
                int count = channel.read(buffer, at);
                if (count < 0) {
                    throw new DamagedFileException(name(), "ends at byte %d".formatted(at));
                }
                at += count;
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
