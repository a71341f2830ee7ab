package dev.cairn.checkpoint;

import dev.cairn.store.BlobStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/// Bounds how fast blobs are written, over all writers of a storage together: after each piece they wait as long as it
/// takes at the limit. Time in which nothing was written is not made up for. Records, which commit, are never held up.
///
/// What a system holds back in memory would reach the disk at once when it is synced, so it is flushed every second.
final class Throttle {
    /// How soon a writer that waits notices that the limit is lifted.
    private static final long SLICE_NANOS = 50_000_000;
    private static final long SMALLEST_PIECE = 64 << 10;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;
    private final Timekeeper time;
    private final Pause pause;
    private volatile boolean lifted;
    private long freeAt;

    /// Lets time pass.
    interface Pause {
        void nanos(long nanos) throws InterruptedException;
    }

    Throttle(long bytesPerSecond, Timekeeper time, Pause pause) {
        this.bytesPerSecond = bytesPerSecond;
        this.time = time;
        this.pause = pause;
        this.freeAt = time.nanos();
    }

    static Throttle of(CheckpointOptions options) {
        return new Throttle(
                options.writeLimit(),
                options.time(),
                nanos -> Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000)));
    }

    /// This storage, written to under the limit.
    BlobStore around(BlobStore blobs) {
        return bytesPerSecond == CheckpointOptions.NO_WRITE_LIMIT ? blobs : new Throttled(blobs);
    }

    /// From now on somebody waits for what is written: no limit.
    void lift() {
        lifted = true;
    }

    /// The limit holds again.
    void restore() {
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

    private final class Throttled implements BlobStore {
        private final BlobStore blobs;

        Throttled(BlobStore blobs) {
            this.blobs = blobs;
        }

        @Override
        public BlobWriter write(String name) throws IOException {
            return new ThrottledWriter(blobs.write(name));
        }

        @Override
        public void createIfAbsent(String name, byte[] content) throws IOException {
            blobs.createIfAbsent(name, content);
        }

        @Override
        public BlobReader read(String name) throws IOException {
            return blobs.read(name);
        }

        @Override
        public byte[] readAll(String name, long most) throws IOException {
            return blobs.readAll(name, most);
        }

        @Override
        public Map<String, Long> sizes(String folder) throws IOException {
            return blobs.sizes(folder);
        }

        @Override
        public List<String> list(String folder) throws IOException {
            return blobs.list(folder);
        }

        @Override
        public List<String> listAll() throws IOException {
            return blobs.listAll();
        }

        @Override
        public void delete(String name) throws IOException {
            blobs.delete(name);
        }

        @Override
        public boolean isRemote() {
            return blobs.isRemote();
        }

        @Override
        public long usableBytes() throws IOException {
            return blobs.usableBytes();
        }

        @Override
        public List<String> temporaries(String folder) throws IOException {
            return blobs.temporaries(folder);
        }

        @Override
        public void deleteTemporary(String name) throws IOException {
            blobs.deleteTemporary(name);
        }

        @Override
        public String place() throws IOException {
            return blobs.place();
        }
    }

    private final class ThrottledWriter implements BlobStore.BlobWriter {
        private final BlobStore.BlobWriter blob;
        private long unflushed;

        ThrottledWriter(BlobStore.BlobWriter blob) {
            this.blob = blob;
        }

        @Override
        public void append(MemorySegment bytes) throws IOException {
            long piece = Math.max(SMALLEST_PIECE, bytesPerSecond / 16);
            for (long offset = 0; offset < bytes.byteSize(); offset += piece) {
                long length = Math.min(piece, bytes.byteSize() - offset);
                blob.append(bytes.asSlice(offset, length));
                unflushed += length;
                if (unflushed >= bytesPerSecond && !lifted) {
                    flush();
                }
                wrote(length);
            }
        }

        @Override
        public void flush() throws IOException {
            blob.flush();
            unflushed = 0;
        }

        @Override
        public void finish() throws IOException {
            blob.finish();
        }

        @Override
        public void close() throws IOException {
            blob.close();
        }
    }
}
