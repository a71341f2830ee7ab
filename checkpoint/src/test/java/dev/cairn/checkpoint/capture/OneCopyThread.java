package dev.cairn.checkpoint.capture;

import java.util.concurrent.CountDownLatch;

/// One thread that copies what is captured, and that a test can hold up.
public final class OneCopyThread {
    private final CopyThreads threads = new CopyThreads(1);

    public CopyThreads threads() {
        return threads;
    }

    /// Occupies the thread until the latch is open.
    public CountDownLatch holdUp() {
        var release = new CountDownLatch(1);
        var _ = threads.start(() -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return release;
        });
        return release;
    }
}
