package dev.cairn.store.segment;

import dev.cairn.store.blob.BlobNames;
import dev.cairn.store.blob.RunFiles;

/// A reference from a checkpoint to a segment.
///
/// @param id a random number drawn when the segment was written; the segment's header contains it too
/// @param indexCrc the checksum of the index, which covers the checksum of every block
/// @param digest the digest of the values that a reader gets from the segment, see [StateDigest]
public record SegmentRef(String name, long id, long sizeBytes, int indexCrc, String digest) {
    public SegmentRef {
        BlobNames.checked(name);
        // Reading any other file could do harm: closing the lock file would release the lock.
        if (!name.startsWith(RunFiles.SEGMENTS)) {
            throw new IllegalArgumentException("segment '" + name + "' is not in " + RunFiles.SEGMENTS);
        }
    }

    /// Returns the same segment under another name.
    public SegmentRef renamed(String newName) {
        return new SegmentRef(newName, id, sizeBytes, indexCrc, digest);
    }
}
