package dev.cairn.store.segment;

import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.blob.BlobNames;
import dev.cairn.store.blob.RunFiles;

/// A reference from a checkpoint to a segment.
///
/// @param id a random number drawn when the segment was written; the segment's header contains it too
/// @param indexCrc the checksum of the index, which covers the checksum of every block
/// @param layout the size of its contents, and where its parity is
/// @param digest the digest of the values that a reader gets from the segment, see [StateDigest]
public record SegmentRef(String name, long id, ParityLayout layout, int indexCrc, String digest) {
    public SegmentRef {
        BlobNames.checked(name);
        // Reading any other file could do harm: closing the lock file would release the lock.
        if (!name.startsWith(RunFiles.SEGMENTS)) {
            throw new IllegalArgumentException("segment '" + name + "' is not in " + RunFiles.SEGMENTS);
        }
    }

    /// The size of the file.
    public long sizeBytes() {
        return layout.fileBytes();
    }

    /// Returns the same segment under another name.
    public SegmentRef renamed(String newName) {
        return new SegmentRef(newName, id, layout, indexCrc, digest);
    }

    /// Returns the same segment in another file.
    public SegmentRef copied(String newName, ParityLayout newLayout) {
        return new SegmentRef(newName, id, newLayout, indexCrc, digest);
    }
}
