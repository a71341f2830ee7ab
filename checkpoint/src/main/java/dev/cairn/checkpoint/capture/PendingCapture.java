package dev.cairn.checkpoint.capture;

import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.capture.Capture.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A capture from its beginning until nobody reads the live tensors any more: in copy mode when all is copied, in
/// fused mode when all is encoded. The training thread waits for the end; the saving thread takes the tensors and,
/// in fused mode, brings the end about.
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

    /// Waits for the end, whether it is a good one or not, and through interruptions: memory that is being read
    /// must not change.
    void await() {
        over.exceptionally(_ -> null).join();
    }

    /// Adds to what the training thread waited.
    public void waited(Duration more) {
        waited = waited.plus(more);
    }

    public Duration waited() {
        return waited;
    }

    /// The captured tensors; waits for them. Throws what went wrong with the capture.
    public List<Tensor> tensors() throws Throwable {
        try {
            return tensors.join();
        } catch (CompletionException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /// Tells how many blocks there are to be encoded.
    public void expect(long blocks) {
        blocksLeft.set(blocks);
    }

    /// One more block is encoded. On any thread.
    public void encodedBlock() {
        if (blocksLeft.decrementAndGet() == 0) {
            release();
        }
    }

    /// All is encoded, or never will be.
    public void release() {
        encoded.complete(null);
    }
}
