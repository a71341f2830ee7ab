package dev.cairn.codec.parity;

/// Where the parts of a file with parity are.
///
/// @param contentBytes the size of the contents
/// @param chunkBytes the size of a chunk
/// @param groups the number of groups, which is the number of parity chunks
public record ParityLayout(long contentBytes, int chunkBytes, long groups) {
    /// A damaged region of this size can be healed in any file.
    public static final int LEAST_REGION_BYTES = 4096;

    /// In larger files, a damaged region of one part in so many can be healed.
    private static final int REGION_SHARE = 100;

    /// Contents up to this size have small chunks: they need less parity, and their tables are small anyway.
    static final int SMALL_BYTES = 1 << 20;

    static final int SMALL_CHUNK = 512;
    static final int LARGE_CHUNK = 4096;

    private static final int CHECKSUM_BYTES = 4;
    private static final int LARGEST_CHUNK = 1 << 20;

    public ParityLayout {
        if (contentBytes < 0 || chunkBytes <= 0 || chunkBytes > LARGEST_CHUNK || groups <= 0) {
            throw new IllegalArgumentException("not a layout of parity: contentBytes=%d chunkBytes=%d groups=%d"
                    .formatted(contentBytes, chunkBytes, groups));
        }
        long chunks = Math.ceilDiv(contentBytes, (long) chunkBytes);
        // The table of checksums is one array. This also keeps every size below from overflowing.
        if (chunks > (Integer.MAX_VALUE - 64) / CHECKSUM_BYTES - groups) {
            throw new IllegalArgumentException(
                    "too many chunks for parity: contents=%d parity=%d".formatted(chunks, groups));
        }
    }

    /// The layout that a writer uses for contents of this size: the fewest groups that heal what is promised. Large
    /// contents have a power of two of them.
    public static ParityLayout of(long contentBytes) {
        int chunk = contentBytes <= SMALL_BYTES ? SMALL_CHUNK : LARGE_CHUNK;
        long groups = LEAST_REGION_BYTES / chunk + 1L;
        while (true) {
            var layout = new ParityLayout(contentBytes, chunk, groups);
            if (layout.healsWhatIsPromised()) {
                return layout;
            }
            groups = chunk == SMALL_CHUNK ? groups + 1 : Long.highestOneBit(groups) * 2;
        }
    }

    private boolean healsWhatIsPromised() {
        long region = Math.max(LEAST_REGION_BYTES, Math.ceilDiv(fileBytes(), REGION_SHARE));
        return parityBytes() >= region + chunkBytes;
    }

    /// The number of chunks of the contents. The last one is filled up with zeros.
    public int contentChunks() {
        return Math.toIntExact(Math.ceilDiv(contentBytes, (long) chunkBytes));
    }

    /// The number of chunks of contents and parity together.
    public int chunks() {
        return Math.toIntExact(contentChunks() + groups);
    }

    /// The group of the chunk at this position.
    public long group(long position) {
        return position % groups;
    }

    /// The size of the parity chunks together. Contents that are this far apart are combined.
    public long parityBytes() {
        return groups * chunkBytes;
    }

    /// The size of one of the two tables: a checksum for each chunk, and one of the table itself.
    public int tableBytes() {
        return CHECKSUM_BYTES * (chunks() + 1);
    }

    /// Where the first table begins.
    public long firstTable() {
        return (long) contentChunks() * chunkBytes;
    }

    /// Where the second table begins.
    public long secondTable() {
        return parity() + parityBytes();
    }

    private long parity() {
        return firstTable() + tableBytes();
    }

    /// Where the chunk at this position begins: contents first, then parity.
    public long offset(long position) {
        return position * chunkBytes + (position < contentChunks() ? 0 : tableBytes());
    }

    /// The size of the whole file.
    public long fileBytes() {
        return secondTable() + tableBytes();
    }
}
