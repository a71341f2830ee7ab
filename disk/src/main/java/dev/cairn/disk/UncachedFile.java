package dev.cairn.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A file that is read past the system's cache, if the file system supports that: its bytes come from the disk even if
/// the cache has them, and they take no place in the cache. On other file systems it is read as any other file. For one
/// thread at a time.
public final class UncachedFile implements AutoCloseable {
    /// The most that is read at a time. A smaller file has a smaller buffer.
    private static final long MOST_BUFFER_BYTES = 1 << 20;

    private final FileChannel channel;
    private final Arena arena;
    private final long block;
    private final ByteBuffer buffer;
    private final boolean direct;

    private UncachedFile(FileChannel channel, Arena arena, ByteBuffer buffer, long block, boolean direct) {
        this.channel = channel;
        this.arena = arena;
        this.buffer = buffer;
        this.block = block;
        this.direct = direct;
    }

    /// Opens a file.
    public static UncachedFile open(Path path) throws IOException {
        Optional<OpenOption> option = DirectAccess.option();
        if (option.isPresent()) {
            try {
                long block = DirectAccess.block(path);
                return of(FileChannel.open(path, StandardOpenOption.READ, option.get()), block, true);
            } catch (UnsupportedOperationException | IOException notHere) {
                // If the file itself cannot be opened, the next attempt fails too.
            }
        }
        return of(FileChannel.open(path, StandardOpenOption.READ), 1, false);
    }

    private static UncachedFile of(FileChannel channel, long block, boolean direct) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            long blocks = Math.ceilDiv(Math.clamp(channel.size(), 1, MOST_BUFFER_BYTES), block);
            ByteBuffer buffer = arena.allocate(blocks * block, block).asByteBuffer();
            return new UncachedFile(channel, arena, buffer, block, direct);
        } catch (IOException | OutOfMemoryError e) {
            arena.close();
            channel.close();
            throw e;
        }
    }

    /// Whether reads go past the cache.
    public boolean isDirect() {
        return direct;
    }

    /// The size of the file, in bytes.
    public long sizeBytes() throws IOException {
        return channel.size();
    }

    /// Reads bytes at this offset into the start of the target.
    ///
    /// @return how many of them the file has
    public long read(long offset, MemorySegment target) throws IOException {
        long done = 0;
        while (done < target.byteSize()) {
            long at = offset + done;
            long from = at / block * block;
            long end = Math.ceilDiv(offset + target.byteSize(), block) * block;
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - from));
            int skipped = (int) (at - from);
            int there = channel.read(buffer, from);
            long count = Math.min(there - skipped, target.byteSize() - done);
            if (count <= 0) {
                return done;
            }
            MemorySegment.copy(MemorySegment.ofBuffer(buffer.clear()), skipped, target, done, count);
            done += count;
        }
        return done;
    }

    @Override
    public void close() throws IOException {
        try (arena;
                channel) {
            buffer.clear();
        }
    }
}
