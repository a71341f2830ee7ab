package dev.cairn.store.segment;

import dev.cairn.store.blob.BlobNames;
import dev.cairn.store.blob.RunFiles;

/// A segment as its checkpoint knows it.
///
/// @param id drawn at random when it was written; the segment's header has it too
/// @param indexCrc the checksum of its index, which covers every block's checksum
/// @param digest of the values that a reader gets from it, see [StateDigest]
public record SegmentRef(String name, long id, long sizeBytes, int indexCrc, String digest) {
    public SegmentRef {
        BlobNames.checked(name);
        // Reading any other file is not harmless: closing the lock's file would release the lock.
        if (!name.startsWith(RunFiles.SEGMENTS)) {
            throw new IllegalArgumentException("segment '" + name + "' is not in " + RunFiles.SEGMENTS);
        }
    }

    /// The same segment under another name.
    public SegmentRef renamed(String newName) {
        return new SegmentRef(newName, id, sizeBytes, indexCrc, digest);
    }
}
