package dev.cairn.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A file that is written once, from its beginning on; what was written may be changed once more.
///
/// What a file has beyond 16 MiB goes past the system's cache, where file system and disk take that. The cache would
/// cost the processor more than the encoding of a checkpoint does, and drop what others keep in it. What does go
/// through it is on its way to the disk while more is made. For one thread at a time.
public final class NewFile implements AutoCloseable {
    /// A system property says otherwise: for tests, and for who finds a disk that is better with the cache.
    private static final String DIRECT_FROM = "cairn.directFrom";

    private static final long USUALLY_DIRECT_FROM = 16 << 20;

    /// More at once would have the system copy arrays into as much memory of its own.
    private static final long AT_ONCE = 1 << 20;

    private final Path path;
    private final FileChannel channel;
    private final EarlySync earlySync;
    private final long directFrom;
    private final int lotBytes;
    private long position;
    private @Nullable DirectTail direct;
    private boolean mayBeDirect = true;

    private NewFile(Path path, long directFrom, int lotBytes, long syncEvery) throws IOException {
        this.path = path;
        this.directFrom = directFrom;
        this.lotBytes = lotBytes;
        this.channel = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        this.earlySync = new EarlySync(channel, syncEvery);
    }

    /// Creates a file that must not exist yet.
    public static NewFile create(Path path) throws IOException {
        long directFrom = Long.getLong(DIRECT_FROM, USUALLY_DIRECT_FROM);
        // Where tests have small files go that way, they go in several lots, as large ones do.
        int lotBytes = Math.clamp(directFrom, 1, DirectTail.USUAL_LOT_BYTES);
        return create(path, directFrom, lotBytes, EarlySync.USUAL_BYTES);
    }

    /// @param directFrom what comes after so many bytes goes past the system's cache
    /// @param lotBytes how much of it at a time, at least
    /// @param syncEvery after so many bytes what was written so far is sent to the disk
    static NewFile create(Path path, long directFrom, int lotBytes, long syncEvery) throws IOException {
        return new NewFile(path, directFrom, lotBytes, syncEvery);
    }

    /// How many bytes were appended.
    public long position() {
        return position;
    }

    /// Adds these bytes at the end.
    public void append(MemorySegment bytes) throws IOException {
        if (position + bytes.byteSize() > directFrom && mayBeDirect) {
            openDirect();
        }
        long cached = direct == null ? bytes.byteSize() : Math.clamp(direct.start() - position, 0, bytes.byteSize());
        write(position, bytes.asSlice(0, cached));
        if (direct != null) {
            direct.append(bytes.asSlice(cached));
        }
        position += bytes.byteSize();
    }

    /// Adds these bytes at the end.
    public void append(byte[] bytes) throws IOException {
        append(MemorySegment.ofArray(bytes));
    }

    /// Writes over bytes that are there.
    public void change(long at, byte[] bytes) throws IOException {
        MemorySegment changed = MemorySegment.ofArray(bytes);
        long written = direct == null ? changed.byteSize() : direct.change(at, changed);
        write(at, changed.asSlice(0, written));
    }

    /// Has what was appended so far reach the disk, so that a sync has less left to do. Promises nothing.
    public void flush() throws IOException {
        channel.force(false);
    }

    /// Makes the content durable; the name is not yet. Nothing can be appended any more.
    public void finish() throws IOException {
        if (direct != null) {
            MemorySegment rest = direct.finish();
            write(position - rest.byteSize(), rest);
        }
        earlySync.end();
        channel.force(true);
    }

    /// Lets go of the file, finished or not; it stays. Once more does nothing.
    @Override
    public void close() throws IOException {
        DirectTail closing = direct;
        direct = null;
        try (FileChannel _ = channel;
                DirectTail _ = closing) {
            earlySync.end();
        }
    }

    private void openDirect() {
        mayBeDirect = false;
        direct = DirectTail.open(path, channel, Math.max(position, directFrom), lotBytes);
    }

    private void write(long at, MemorySegment bytes) throws IOException {
        for (long done = 0; done < bytes.byteSize(); done += AT_ONCE) {
            ByteBuffer buffer = bytes.asSlice(done, Math.min(AT_ONCE, bytes.byteSize() - done))
                    .asByteBuffer();
            for (long to = at + done; buffer.hasRemaining(); ) {
                int count = channel.write(buffer, to);
                earlySync.wrote(count);
                to += count;
            }
        }
    }
}
