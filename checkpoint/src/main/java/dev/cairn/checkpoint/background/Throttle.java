package dev.cairn.checkpoint.background;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;

/// Bounds how fast blobs are written, over all writers of a storage together: after each piece they wait as long as it
/// takes at the limit. Time in which nothing was written is not made up for. Records, which commit, are never held up.
///
/// What a system holds back in memory would reach the disk at once when it is synced, so it is flushed every second.
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

    /// Lets time pass.
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

    /// This storage, written to under the limit.
    public BlobStore around(BlobStore blobs) {
        return bytesPerSecond == NO_LIMIT ? blobs : new Throttled(blobs);
    }

    /// From now on somebody waits for what is written: no limit.
    public void lift() {
        lifted = true;
    }

    /// The limit holds again.
    public void restore() {
        lifted = false;
    }

    /// Waits for as long as these bytes take.
    private void wrote(long bytes) throws InterruptedIOException {
        long until = reserve(bytes);
        try {
            for (long left = until - time.nanos(); left > 0 && !lifted; left = until - time.nanos()) {
                pause.nanos(Math.min(left, SLICE_NANOS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while keeping to the write limit");
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
