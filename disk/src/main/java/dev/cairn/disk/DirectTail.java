package dev.cairn.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of a file from some offset on that is written past the system's cache (`O_DIRECT`). That takes whole blocks
/// only, from memory that begins where a block may: bytes are gathered until there are enough, and what is no whole
/// block at the end is left to the cache.
final class DirectTail implements AutoCloseable {
    private static final int GATHERED_BYTES = 2 << 20;

    /// A page of the cache: none has bytes of both ways.
    private static final long LEAST_BLOCK = 4096;

    /// Of the JDK, and of no standard: compilers warn of its name, so it is looked for.
    private static final Optional<OpenOption> DIRECT = direct();

    private final FileChannel cached;
    private final FileChannel channel;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment gathered;
    private final long block;
    private final long start;
    private boolean refused;
    private long written;
    private long filled;

    private DirectTail(FileChannel cached, FileChannel channel, long from, long block) {
        this.cached = cached;
        this.channel = channel;
        this.block = block;
        this.gathered = arena.allocate(GATHERED_BYTES, block);
        this.start = Math.ceilDiv(from, block) * block;
        this.written = start;
    }

    /// Null where the file system does not take it.
    ///
    /// @param cached the same file by way of the cache, for what cannot be written otherwise
    /// @param from nothing before this offset
    static @Nullable DirectTail open(Path path, FileChannel cached, long from) throws IOException {
        try {
            long block = Math.max(LEAST_BLOCK, Files.getFileStore(path).getBlockSize());
            if (DIRECT.isEmpty() || GATHERED_BYTES % block != 0) {
                return null;
            }
            return new DirectTail(cached, FileChannel.open(path, StandardOpenOption.WRITE, DIRECT.get()), from, block);
        } catch (UnsupportedOperationException | IOException notHere) {
            return null;
        }
    }

    private static Optional<OpenOption> direct() {
        try {
            return Stream.of(
                            Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
                    .filter(option -> option.toString().equals("DIRECT"))
                    .map(OpenOption.class::cast)
                    .findFirst();
        } catch (ClassNotFoundException anotherJdk) {
            return Optional.empty();
        }
    }

    /// The offset of its first byte.
    long start() {
        return start;
    }

    void append(MemorySegment bytes) throws IOException {
        for (long done = 0; done < bytes.byteSize(); ) {
            long count = Math.min(GATHERED_BYTES - filled, bytes.byteSize() - done);
            MemorySegment.copy(bytes, done, gathered, filled, count);
            filled += count;
            done += count;
            if (filled == GATHERED_BYTES) {
                write();
            }
        }
    }

    /// Changes what is gathered still.
    ///
    /// @return how many of these bytes, which come first, were written already
    long change(long at, MemorySegment bytes) {
        long before = Math.clamp(written - at, 0, bytes.byteSize());
        if (before < bytes.byteSize()) {
            MemorySegment.copy(bytes, before, gathered, at + before - written, bytes.byteSize() - before);
        }
        return before;
    }

    /// What is left for the cache once all whole blocks are written.
    MemorySegment rest() throws IOException {
        long rest = filled % block;
        long whole = filled - rest;
        write(whole);
        return gathered.asSlice(whole, rest);
    }

    /// From now on the cache takes all.
    void refuse() {
        refused = true;
    }

    private void write() throws IOException {
        write(filled);
        written += filled;
        filled = 0;
    }

    private void write(long length) throws IOException {
        ByteBuffer buffer = gathered.asSlice(0, length).asByteBuffer();
        try {
            while (buffer.hasRemaining() && !refused) {
                channel.write(buffer, written + buffer.position());
            }
        } catch (IOException refusedOrWrong) {
            refuse(); // Where it is the disk that is wrong or full, the cache will tell.
        }
        while (buffer.hasRemaining()) {
            cached.write(buffer, written + buffer.position());
        }
    }

    @Override
    public void close() throws IOException {
        try (arena) {
            channel.close();
        }
    }
}
