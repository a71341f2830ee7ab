package dev.cairn.checkpoint.capture;

import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.capture.Capture.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A capture, from its start until no thread reads the live tensors any more. In copy mode it ends when everything is
/// copied, in fused mode when everything is encoded. The training thread waits for the end. The saving thread takes
/// the tensors and, in fused mode, ends the capture.
public final class PendingCapture {
    private final CompletableFuture<List<Tensor>> tensors;
    private final CompletableFuture<?> over;
    private final CompletableFuture<@Nullable Void> encoded = new CompletableFuture<>();
    private final AtomicLong blocksLeft = new AtomicLong();
    private volatile Duration waited = Duration.ZERO;

    PendingCapture(CaptureMode mode, CompletableFuture<List<Tensor>> tensors) {
        this.tensors = tensors;
        this.over = switch (mode) {
            case COPY -> tensors;
            case FUSED -> encoded;
        };
    }

    boolean isOver() {
        return over.isDone();
    }

    /// Waits for the end, even if the capture fails or the thread is interrupted: memory that is being read must
    /// not change.
    void await() {
        over.exceptionally(_ -> null).join();
    }

    /// Adds to the time that the training thread waited.
    public void waited(Duration more) {
        waited = waited.plus(more);
    }

    public Duration waited() {
        return waited;
    }

    /// Waits for the captured tensors and returns them. Throws the error if the capture failed.
    public List<Tensor> tensors() throws Throwable {
        try {
            return tensors.join();
        } catch (CompletionException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /// Sets the number of blocks to encode.
    public void expect(long blocks) {
        blocksLeft.set(blocks);
    }

    /// Counts one encoded block. May be called on any thread.
    public void encodedBlock() {
        if (blocksLeft.decrementAndGet() == 0) {
            release();
        }
    }

    /// Ends the capture: everything is encoded, or never will be.
    public void release() {
        encoded.complete(null);
    }
}
