package dev.cairn.store.segment;

import dev.cairn.store.blob.BlobStore;
import java.io.IOException;

/// Where the segments of a run are read from.
///
/// @param blobs the storage of the run
/// @param spares where bytes are read from that are damaged there and that parity cannot heal
public record SegmentSource(BlobStore blobs, Spares spares) {
    /// The storage of the run alone.
    public SegmentSource(BlobStore blobs) {
        this(blobs, Spares.NONE);
    }

    /// Opens a segment.
    ///
    /// @throws dev.cairn.store.DamagedException if its header, footer, index or tables are damaged and do
    ///     not heal
    public SegmentReader open(SegmentRef segment) throws IOException {
        return SegmentReader.open(this, segment);
    }
}
