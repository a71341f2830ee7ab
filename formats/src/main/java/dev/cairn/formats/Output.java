package dev.cairn.formats;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// A new file that is written from its beginning on; what was written may be changed once more.
final class Output implements AutoCloseable {
    private static final long AT_ONCE = 1 << 20;

    /// What was written so far is on its way to the disk while the rest is made.
    private static final long SYNC_BYTES = 32 << 20;

    private final FileChannel channel;
    private final ExecutorService syncing = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-sync").daemon(true).factory());
    private Future<?> sync = CompletableFuture.completedFuture(null);
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
        if (position - synced >= SYNC_BYTES && sync.isDone()) {
            awaitSync();
            sync = syncing.submit(() -> {
                channel.force(false);
                return null;
            });
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
        awaitSync();
        channel.force(true);
    }

    /// Throws what the last one failed with.
    private void awaitSync() throws IOException {
        try {
            sync.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while writing a file").initCause(e);
        }
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
        syncing.close();
        channel.close();
    }
}
