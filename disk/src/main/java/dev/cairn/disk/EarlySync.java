package dev.cairn.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// Syncs a file to its disk while more bytes are being written, so that the final sync has little left to do. Uses a
/// separate thread and runs one sync at a time. For one writer.
final class EarlySync {
    /// Fewer bytes than this wait for the final sync.
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

    /// Notes that this many bytes were appended.
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
        } catch (RuntimeException | Error e) { // Whatever the cause, the bytes may not be on the disk.
            failure = new IOException("cannot sync the file: " + e.getMessage(), e);
        }
    }

    /// Waits until no sync is running, and throws the error of any sync that failed. The system reports such an error
    /// only once, so the next sync would seem to succeed.
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
