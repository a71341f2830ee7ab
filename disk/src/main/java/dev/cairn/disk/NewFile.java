package dev.cairn.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A file that is written once, from start to end. Bytes already written can be changed.
///
/// Bytes beyond the first 16 MiB go past the system's cache, if the file system and the disk support that. The cache
/// would cost more processor time than encoding a checkpoint, and would evict the data of other programs. Bytes that do
/// go through the cache are sent to the disk while more are produced. For one thread at a time.
public final class NewFile implements AutoCloseable {
    /// The system property that changes the threshold, for tests and for disks that are faster with the cache.
    private static final String DIRECT_FROM = "cairn.directFrom";

    private static final long USUALLY_DIRECT_FROM = 16 << 20;

    /// The JDK copies an array into native memory of the same size before it writes; this bounds that memory.
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
        // If tests lower the threshold, small files are written in several lots too, as large files are.
        int lotBytes = Math.clamp(directFrom, 1, DirectTail.USUAL_LOT_BYTES);
        return create(path, directFrom, lotBytes, EarlySync.USUAL_BYTES);
    }

    /// @param directFrom bytes after this offset go past the system's cache
    /// @param lotBytes the minimum size of one direct write
    /// @param syncEvery how many cached bytes are written between two early syncs
    static NewFile create(Path path, long directFrom, int lotBytes, long syncEvery) throws IOException {
        return new NewFile(path, directFrom, lotBytes, syncEvery);
    }

    /// The number of bytes appended so far.
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

    /// Overwrites bytes that were appended before.
    public void change(long at, byte[] bytes) throws IOException {
        MemorySegment changed = MemorySegment.ofArray(bytes);
        long written = direct == null ? changed.byteSize() : direct.change(at, changed);
        write(at, changed.asSlice(0, written));
    }

    /// Sends appended bytes to the disk, so that a later sync has less left to do. Guarantees nothing.
    public void flush() throws IOException {
        channel.force(false);
    }

    /// Makes the content durable, but not yet the name. Nothing can be appended afterwards.
    public void finish() throws IOException {
        if (direct != null) {
            MemorySegment rest = direct.finish();
            write(position - rest.byteSize(), rest);
        }
        earlySync.end();
        channel.force(true);
    }

    /// Closes the file, finished or not, and leaves it on disk. Closing it again does nothing.
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
