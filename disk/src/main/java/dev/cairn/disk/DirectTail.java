package dev.cairn.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// The part of a file, from a given offset to the end, that is written past the system's cache (`O_DIRECT`). Such
/// writes must be whole blocks, from memory aligned to a block. Bytes are therefore gathered into lots, and an
/// incomplete block at the end is written through the cache. A separate thread writes one lot to the disk while the
/// next lots are gathered.
final class DirectTail implements AutoCloseable {
    /// With smaller lots, the threads wait for each other more than for the disk.
    static final int USUAL_LOT_BYTES = 8 << 20;

    /// One lot is being gathered, one is being written, and one is ready to be written next.
    private static final int LOTS = 3;

    private final FileChannel cached;
    private final FileChannel channel;
    private final Arena arena;
    private final ExecutorService writing = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-disk").daemon(true).factory());
    private final long block;
    private final long lotBytes;
    private final long start;
    /// The writes that have not finished, oldest first.
    private final Deque<Write> writes = new ArrayDeque<>();
    private final Deque<MemorySegment> free = new ArrayDeque<>();
    private MemorySegment gathered;
    private volatile boolean refused;
    /// The file offset of the first gathered byte.
    private long from;
    private long filled;

    private record Write(MemorySegment lot, Future<?> done) {}

    /// @param arena closed by [#close], like the channel; if this constructor throws, it closes neither
    private DirectTail(FileChannel cached, FileChannel channel, Arena arena, long from, long block, long lotBytes) {
        this.cached = cached;
        this.channel = channel;
        this.arena = arena;
        this.block = block;
        this.lotBytes = lotBytes;
        this.gathered = arena.allocate(lotBytes, block);
        for (int i = 1; i < LOTS; i++) {
            free.add(arena.allocate(lotBytes, block));
        }
        this.start = Math.ceilDiv(from, block) * block;
        this.from = start;
    }

    /// Returns null if the file system does not support direct writes, or if there is not enough memory.
    ///
    /// @param cached the same file, written through the cache, for bytes that cannot be written directly
    /// @param from the tail does not start before this offset
    /// @param lotBytes the minimum size of one write
    static @Nullable DirectTail open(Path path, FileChannel cached, long from, int lotBytes) {
        try {
            long block = DirectAccess.block(path);
            Optional<OpenOption> direct = DirectAccess.option();
            if (direct.isEmpty() || block > USUAL_LOT_BYTES) {
                return null;
            }
            return open(FileChannel.open(path, StandardOpenOption.WRITE, direct.get()), cached, from, block, lotBytes);
        } catch (UnsupportedOperationException | IOException | OutOfMemoryError notHere) {
            return null;
        }
    }

    private static DirectTail open(FileChannel channel, FileChannel cached, long from, long block, int lotBytes)
            throws IOException {
        Arena arena = Arena.ofShared();
        try {
            return new DirectTail(cached, channel, arena, from, block, Math.ceilDiv(lotBytes, block) * block);
        } catch (OutOfMemoryError e) {
            arena.close();
            channel.close();
            throw e;
        }
    }

    /// The file offset of the first byte of the tail.
    long start() {
        return start;
    }

    void append(MemorySegment bytes) throws IOException {
        for (long done = 0; done < bytes.byteSize(); ) {
            long count = Math.min(lotBytes - filled, bytes.byteSize() - done);
            MemorySegment.copy(bytes, done, gathered, filled, count);
            filled += count;
            done += count;
            if (filled == lotBytes) {
                startWrite(filled);
            }
        }
    }

    /// Changes bytes that are gathered but not yet written.
    ///
    /// @return how many of the given bytes, from the first on, the file already has; the caller must write them
    long change(long at, MemorySegment bytes) throws IOException {
        long before = Math.clamp(from - at, 0, bytes.byteSize());
        if (before > 0) {
            awaitWrites(0);
        }
        if (before < bytes.byteSize()) {
            MemorySegment.copy(bytes, before, gathered, at + before - from, bytes.byteSize() - before);
        }
        return before;
    }

    /// Waits until all whole blocks are written, and returns the remaining bytes for the cache.
    MemorySegment finish() throws IOException {
        long rest = filled % block;
        MemorySegment last = gathered.asSlice(filled - rest, rest);
        startWrite(filled - rest);
        awaitWrites(0);
        return last;
    }

    /// Makes all later writes go through the cache.
    void refuse() {
        refused = true;
    }

    private void startWrite(long length) throws IOException {
        MemorySegment lot = gathered;
        long at = from;
        Future<?> done = writing.submit(() -> {
            write(lot.asSlice(0, length), at);
            return null;
        });
        writes.add(new Write(lot, done));
        from += length;
        filled = 0;
        awaitWrites(LOTS - 1);
        gathered = free.remove();
    }

    /// Waits for the oldest writes until at most this many are unfinished.
    private void awaitWrites(int most) throws IOException {
        while (writes.size() > most) {
            await(writes.element().done());
            free.add(writes.remove().lot());
        }
    }

    private static void await(Future<?> write) throws IOException {
        try {
            write.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while writing a file").initCause(e);
        }
    }

    private void write(MemorySegment lot, long at) throws IOException {
        ByteBuffer buffer = lot.asByteBuffer();
        try {
            while (buffer.hasRemaining() && !refused) {
                channel.write(buffer, at + buffer.position());
            }
        } catch (IOException refusedOrWrong) {
            refuse(); // If the disk is full or damaged, the cached write fails too.
        }
        while (buffer.hasRemaining()) {
            cached.write(buffer, at + buffer.position());
        }
    }

    /// Waits for unfinished writes, which still read from the arena's memory.
    @Override
    public void close() throws IOException {
        try (arena;
                channel) {
            writing.close();
        }
    }
}
