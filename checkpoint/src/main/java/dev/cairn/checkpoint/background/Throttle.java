package dev.cairn.checkpoint.background;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;

/// Limits the write speed of blobs, over all writers of a storage together. After each piece a writer waits for as
/// long as the piece takes at the limit. Unused time is not made up for. Records, which commit, are never delayed.
///
/// Data that the system buffers in memory would reach the disk all at once on a sync, so it is flushed every second.
public final class Throttle {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    /// How soon a writer that waits notices that the limit is lifted.
    private static final long SLICE_NANOS = 50_000_000;
    private static final long SMALLEST_PIECE = 64 << 10;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;
    private final Clock time;
    private final Pause pause;
    private volatile boolean lifted;
    private long freeAt;

    /// A way to wait.
    interface Pause {
        void nanos(long nanos) throws InterruptedException;
    }

    Throttle(long bytesPerSecond, Clock time, Pause pause) {
        this.bytesPerSecond = bytesPerSecond;
        this.time = time;
        this.pause = pause;
        this.freeAt = time.nanos();
    }

    public static Throttle of(CheckpointOptions options) {
        return new Throttle(
                options.resources().writeLimit().orElse(NO_LIMIT),
                options.environment().time(),
                nanos -> Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000)));
    }

    /// Wraps this storage so that writes respect the limit.
    public BlobStore around(BlobStore blobs) {
        return bytesPerSecond == NO_LIMIT ? blobs : new Throttled(blobs);
    }

    /// Lifts the limit, because a caller now waits for the writes.
    public void lift() {
        lifted = true;
    }

    /// Restores the limit.
    public void restore() {
        lifted = false;
    }

    /// Waits for as long as these bytes take at the limit.
    private void wrote(long bytes) throws InterruptedIOException {
        long until = reserve(bytes);
        try {
            for (long left = until - time.nanos(); left > 0 && !lifted; left = until - time.nanos()) {
                pause.nanos(Math.min(left, SLICE_NANOS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the write limit");
        }
    }

    private synchronized long reserve(long bytes) {
        long now = time.nanos();
        if (lifted) {
            freeAt = now;
        } else {
            freeAt = Math.max(freeAt, now) + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
        }
        return freeAt;
    }

    private final class Throttled extends ForwardingBlobStore {
        Throttled(BlobStore blobs) {
            super(blobs);
        }

        @Override
        public BlobWriter write(String name) throws IOException {
            return new ThrottledWriter(below().write(name));
        }

        @Override
        public BlobWriter replace(String name) throws IOException {
            return new ThrottledWriter(below().replace(name));
        }
    }

    private final class ThrottledWriter extends ForwardingBlobStore.ForwardingWriter {
        private long unflushed;

        ThrottledWriter(BlobStore.BlobWriter blob) {
            super(blob);
        }

        @Override
        public void append(MemorySegment bytes) throws IOException {
            long piece = Math.max(SMALLEST_PIECE, bytesPerSecond / 16);
            for (long offset = 0; offset < bytes.byteSize(); offset += piece) {
                long length = Math.min(piece, bytes.byteSize() - offset);
                super.append(bytes.asSlice(offset, length));
                unflushed += length;
                if (unflushed >= bytesPerSecond && !lifted) {
                    flush();
                }
                wrote(length);
            }
        }

        @Override
        public void flush() throws IOException {
            super.flush();
            unflushed = 0;
        }
    }
}
