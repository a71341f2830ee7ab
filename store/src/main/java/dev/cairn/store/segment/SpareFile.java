package dev.cairn.store.segment;

import dev.cairn.store.blob.BlobStore.BlobReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The file of the same segment in another place. It is opened when its first bytes are needed. Bytes that cannot be
/// read are missing: no failure of the other place becomes a failure of the reader. For one thread.
final class SpareFile implements AutoCloseable {
    private final Spares spares;
    private final SegmentRef segment;
    private @Nullable BlobReader file;
    private boolean isAsked;
    private boolean isThere;
    private String trouble = "";

    SpareFile(Spares spares, SegmentRef segment) {
        this.spares = spares;
        this.segment = segment;
    }

    /// Reads bytes at an offset into the start of the array.
    ///
    /// @return how many of them could be read
    /// @throws IOException only if the thread is interrupted
    int read(long offset, byte[] target, int length) throws IOException {
        try {
            BlobReader from = opened();
            int there = from == null ? 0 : Math.clamp(from.sizeBytes() - offset, 0, length);
            if (from != null && there > 0) {
                from.read(offset, MemorySegment.ofArray(target).asSlice(0, there));
            }
            return there;
        } catch (IOException | RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            trouble = String.valueOf(e.getMessage());
            return 0;
        }
    }

    private @Nullable BlobReader opened() throws IOException {
        if (!isAsked) {
            isAsked = true;
            Optional<Spares.Spare> spare = spares.find(segment);
            isThere = spare.isPresent();
            if (spare.isPresent()) {
                file = spare.get().blobs().read(spare.get().name());
            }
        }
        return file;
    }

    /// Why it did not help; empty if there is no other place.
    String failure() {
        if (!trouble.isEmpty()) {
            return "; nor does the copy: " + trouble;
        }
        return isThere ? "; nor does the copy: it is damaged, too" : "";
    }

    @Override
    public void close() {
        BlobReader opened = file;
        if (opened != null) {
            try {
                opened.close();
            } catch (IOException | RuntimeException e) {
                trouble = String.valueOf(e.getMessage());
            }
        }
    }
}
