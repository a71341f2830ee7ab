package dev.cairn.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of a file from some offset on that is written past the system's cache (`O_DIRECT`). That takes whole blocks
/// only, from memory that begins where a block may: bytes are gathered until there are enough, and what is no whole
/// block at the end is left to the cache. While the disk takes one lot, on a thread of its own, the next are gathered.
final class DirectTail implements AutoCloseable {
    /// Smaller lots have threads wait for each other more than for the disk.
    static final int USUAL_LOT_BYTES = 8 << 20;

    /// One that is gathered, one that the disk takes, and one that it finds ready when it has.
    private static final int LOTS = 3;

    /// A page of the cache: none has bytes of both ways.
    private static final long LEAST_BLOCK = 4096;

    /// Of the JDK, and of no standard: compilers warn of its name, so it is looked for.
    private static final Optional<OpenOption> DIRECT = direct();

    private final FileChannel cached;
    private final FileChannel channel;
    private final Arena arena;
    private final ExecutorService writing = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-disk").daemon(true).factory());
    private final long block;
    private final long lotBytes;
    private final long start;
    /// Those under way, the oldest first.
    private final Deque<Write> writes = new ArrayDeque<>();
    private final Deque<MemorySegment> free = new ArrayDeque<>();
    private MemorySegment gathered;
    private volatile boolean refused;
    /// Where what is gathered begins.
    private long from;
    private long filled;

    private record Write(MemorySegment lot, Future<?> done) {}

    /// @param arena closed with this, and not where this throws; nor is the channel
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

    /// Null where the file system does not take it, or there is no memory for it.
    ///
    /// @param cached the same file by way of the cache, for what cannot be written otherwise
    /// @param from nothing before this offset
    /// @param lotBytes how much is written at a time, at least
    static @Nullable DirectTail open(Path path, FileChannel cached, long from, int lotBytes) {
        try {
            long block = Math.max(LEAST_BLOCK, Files.getFileStore(path).getBlockSize());
            if (DIRECT.isEmpty() || block > USUAL_LOT_BYTES) {
                return null;
            }
            return open(FileChannel.open(path, StandardOpenOption.WRITE, DIRECT.get()), cached, from, block, lotBytes);
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
            long count = Math.min(lotBytes - filled, bytes.byteSize() - done);
            MemorySegment.copy(bytes, done, gathered, filled, count);
            filled += count;
            done += count;
            if (filled == lotBytes) {
                startWrite(filled);
            }
        }
    }

    /// Changes what is gathered still.
    ///
    /// @return how many of these bytes, which come first, the file has already: they are the caller's to write
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

    /// Waits for all whole blocks, and returns what is left for the cache.
    MemorySegment finish() throws IOException {
        long rest = filled % block;
        MemorySegment last = gathered.asSlice(filled - rest, rest);
        startWrite(filled - rest);
        awaitWrites(0);
        return last;
    }

    /// From now on the cache takes all.
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

    /// Waits for the oldest until no more than so many are under way.
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
            refuse(); // Where it is the disk that is wrong or full, the cache will tell.
        }
        while (buffer.hasRemaining()) {
            cached.write(buffer, at + buffer.position());
        }
    }

    /// Waits for the disk, which has memory of ours.
    @Override
    public void close() throws IOException {
        try (arena;
                channel) {
            writing.close();
        }
    }
}
