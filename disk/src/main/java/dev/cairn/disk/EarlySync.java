package dev.cairn.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// Sends the bytes of a file to its disk while more are being written, so that the sync at the end finds little left to
/// do. On a thread of its own, one sync at a time. For one writer.
final class EarlySync {
    /// Fewer bytes are left to the sync at the end.
    static final long USUAL_BYTES = 32 << 20;

    private final FileChannel channel;
    private final long every;
    private long unsynced;
    private @Nullable Thread thread;
    private volatile @Nullable IOException failure;

    EarlySync(FileChannel channel, long every) {
        this.channel = channel;
        this.every = every;
    }

    /// Tells that so many bytes were appended.
    void wrote(long bytes) {
        unsynced += bytes;
        if (unsynced >= every && (thread == null || !thread.isAlive())) {
            unsynced = 0;
            thread = Thread.ofPlatform().name("cairn-sync").daemon(true).start(this::sync);
        }
    }

    private void sync() {
        try {
            channel.force(false);
        } catch (IOException e) {
            failure = e;
        } catch (RuntimeException | Error e) { // Whatever it is, the bytes may not be on the disk.
            failure = new IOException("cannot be synced: " + e.getMessage(), e);
        }
    }

    /// Waits until no sync is under way, and throws what went wrong with any: a system tells that once
    /// only, so the next sync would seem to succeed.
    void end() throws IOException {
        boolean interrupted = false;
        while (thread != null && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        IOException failed = failure;
        if (failed != null) {
            failure = null;
            throw failed;
        }
    }
}
