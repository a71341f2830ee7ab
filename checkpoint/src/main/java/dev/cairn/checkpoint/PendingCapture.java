package dev.cairn.checkpoint;

import dev.cairn.checkpoint.Capture.Tensor;
import dev.cairn.store.CheckpointWriter.BlockSink;
import dev.cairn.store.CheckpointWriter.TensorSource;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A capture from its beginning until nobody reads the live tensors any more: in copy mode when all is copied,
/// in fused
/// mode when all is encoded. The training thread waits for the end; the saving thread takes the tensors and, in
/// fused
/// mode, brings the end about.
final class PendingCapture {
    private final CompletableFuture<List<Tensor>> tensors;
    private final CompletableFuture<?> over;
    private final CompletableFuture<@Nullable Void> encoded = new CompletableFuture<>();
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
    /// must
    /// not change.
    void await() {
        over.exceptionally(_ -> null).join();
    }

    /// Adds to what the training thread waited.
    void waited(Duration more) {
        waited = waited.plus(more);
    }

    Duration waited() {
        return waited;
    }

    /// The captured tensors; waits for them. Throws what went wrong with the capture.
    List<Tensor> tensors() throws Throwable {
        try {
            return tensors.join();
        } catch (CompletionException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /// These tensors, of which the last one to be encoded tells when it is.
    List<TensorSource> watched(List<? extends TensorSource> sources) {
        var watched = new ArrayList<TensorSource>(sources);
        for (int i = watched.size() - 1; i >= 0; i--) {
            if (watched.get(i).sameAs() == null) {
                watched.set(i, new Last(watched.get(i)));
                break;
            }
        }
        return watched;
    }

    /// All is encoded, or never will be.
    void release() {
        encoded.complete(null);
    }

    private final class Last implements TensorSource {
        private final TensorSource source;

        Last(TensorSource source) {
            this.source = source;
        }

        @Override
        public TensorSpec spec() {
            return source.spec();
        }

        @Override
        public String codec() {
            return source.codec();
        }

        @Override
        public void encode(BlockSink sink) throws IOException {
            source.encode(sink);
            release();
        }
    }
}
