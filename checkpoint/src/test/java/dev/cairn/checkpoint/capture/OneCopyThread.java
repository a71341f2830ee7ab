package dev.cairn.checkpoint.capture;

import java.util.concurrent.CountDownLatch;

/// A single thread that copies captured tensors, and that a test can block.
public final class OneCopyThread {
    private final CopyThreads threads = new CopyThreads(1);

    public CopyThreads threads() {
        return threads;
    }

    /// Blocks the thread until the latch is open.
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
