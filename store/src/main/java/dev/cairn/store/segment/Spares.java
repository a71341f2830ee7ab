package dev.cairn.store.segment;

import dev.cairn.store.blob.BlobStore;
import java.io.IOException;
import java.util.Optional;

/// The same segments in another place, such as a copy of the run. Asked only for bytes that are damaged and that parity
/// cannot heal. Thread-safe.
public interface Spares {
    /// No other place.
    Spares NONE = _ -> Optional.empty();

    /// Finds the same segment.
    ///
    /// @return empty if there is no other place
    /// @throws IOException if it is not there, or cannot be looked for; the message says why
    Optional<Spare> find(SegmentRef segment) throws IOException;

    /// A segment in another place. Its contents and its layout are the same; its name may be another.
    ///
    /// @param blobs where it is; a read must not take forever
    record Spare(BlobStore blobs, String name) {}
}
