package dev.cairn.store.segment;

import static dev.cairn.store.segment.SegmentFormat.FOOTER_BYTES;
import static dev.cairn.store.segment.SegmentFormat.HEADER_BYTES;
import static dev.cairn.store.segment.SegmentFormat.INDEX_ENTRY_BYTES;
import static dev.cairn.store.segment.SegmentFormat.U32;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockDecoder;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.SecondLook;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;

/// Reads one segment. Opening checks the size, header, footer and index against the record. Every block is checked
/// against the index before its bytes are used. Immutable, so several threads may share it.
public final class SegmentReader implements AutoCloseable {
    /// Seventy terabytes of values: the most that an index in one array can describe.
    private static final long MOST_BLOCKS = (Integer.MAX_VALUE - 64) / INDEX_ENTRY_BYTES;

    private final BlobStore blobs;
    private final SegmentRef segment;
    private final String name;
    private final BlobReader blob;
    private final MemorySegment header;
    private final MemorySegment footer;
    private final MemorySegment index;
    private final long[] blockOffsets;
    private final TableSet tables;

    private SegmentReader(BlobStore blobs, SegmentRef segment, BlobReader blob) throws IOException {
        this.blobs = blobs;
        this.segment = segment;
        this.name = segment.name();
        this.blob = blob;
        long size = checkedSize();
        this.header = read(0, HEADER_BYTES, "the header");
        int blockBytes = SegmentFormat.checkHeader(name, header, segment.id());
        long footerOffset = size - FOOTER_BYTES;
        this.footer = read(footerOffset, FOOTER_BYTES, "the footer");
        var foot = SegmentFormat.checkFooter(name, footer, footerOffset);
        if (foot.indexCrc() != segment.indexCrc()) {
            throw DamagedException.checksum(name, "index checksum", footerOffset, segment.indexCrc(), foot.indexCrc());
        }
        if (foot.blockCount() < 0
                || foot.blockCount() > Math.min(MOST_BLOCKS, (footerOffset - HEADER_BYTES) / INDEX_ENTRY_BYTES)) {
            throw new DamagedException(name, "implausible block count: count=" + foot.blockCount());
        }
        int indexBytes = Math.toIntExact(foot.blockCount() * INDEX_ENTRY_BYTES);
        long indexOffset = footerOffset - indexBytes;
        this.index = read(indexOffset, indexBytes, "the index");
        SegmentFormat.checkCrc(name, "index", indexOffset, foot.indexCrc(), index);
        this.blockOffsets = offsets(name, index, blockBytes + SegmentFormat.FRAME_OVERHEAD_BYTES, indexOffset);
        this.tables = readTables();
    }

    public static SegmentReader open(BlobStore blobs, SegmentRef segment) throws IOException {
        return SecondLook.at(() -> openOnce(blobs, segment));
    }

    private static SegmentReader openOnce(BlobStore blobs, SegmentRef segment) throws IOException {
        BlobReader blob = openBlob(blobs, segment);
        try {
            return new SegmentReader(blobs, segment, blob);
        } catch (IOException | RuntimeException e) {
            blob.close();
            throw e;
        }
    }

    private static BlobReader openBlob(BlobStore blobs, SegmentRef segment) throws IOException {
        try {
            return blobs.read(segment.name());
        } catch (NoSuchFileException absent) {
            throw missing(segment);
        } catch (IOException e) {
            throw StorageUnavailableException.reading(segment.name(), e);
        }
    }

    private static DamagedException missing(SegmentRef segment) {
        return new DamagedException(segment.name(), "file is missing: expected bytes=" + segment.sizeBytes());
    }

    private long checkedSize() throws IOException {
        long size;
        try {
            size = blob.sizeBytes();
        } catch (NoSuchFileException removed) {
            throw missing(segment);
        } catch (IOException e) {
            throw StorageUnavailableException.reading(name, e);
        }
        if (size != segment.sizeBytes()) {
            throw new DamagedException(
                    name,
                    "size: expected bytes=%d, actual bytes=%d; index: expected crc32c=%s, actual crc32c=(not found)"
                            .formatted(segment.sizeBytes(), size, Crc32c.text(segment.indexCrc())));
        }
        if (size < HEADER_BYTES + FOOTER_BYTES) {
            throw new DamagedException(name, "too short for a segment: bytes=" + size);
        }
        return size;
    }

    /// The last block holds the code tables that the other blocks refer to.
    private TableSet readTables() throws IOException {
        if (blockOffsets.length < 2) {
            throw new DamagedException(name, "no code tables");
        }
        int last = blockOffsets.length - 2;
        byte[] set = new byte[lengthAt(last)];
        read(last, set, 0);
        try {
            return TableSet.parse(set, 0, set.length);
        } catch (CorruptBlockException e) {
            throw new DamagedException(name, "code tables: " + e.getMessage());
        }
    }

    /// The offset of each block. The last entry is the end of the blocks.
    private static long[] offsets(String name, MemorySegment index, int longest, long indexOffset)
            throws DamagedException {
        long[] offsets = new long[(int) (index.byteSize() / INDEX_ENTRY_BYTES) + 1];
        offsets[0] = HEADER_BYTES;
        for (int block = 0; block < offsets.length - 1; block++) {
            int length = index.get(U32, (long) block * INDEX_ENTRY_BYTES);
            if (length <= 0 || length > longest) {
                throw new DamagedException(name, "implausible length of block %d: bytes=%d".formatted(block, length));
            }
            offsets[block + 1] = offsets[block] + length;
        }
        if (offsets[offsets.length - 1] != indexOffset) {
            throw new DamagedException(name, "the blocks do not end where the index starts");
        }
        return offsets;
    }

    public long blockCount() {
        return blockOffsets.length - 2L;
    }

    String name() {
        return name;
    }

    /// The length of a block's frame, in bytes.
    public int length(long block) throws DamagedException {
        if (block < 0 || block >= blockCount()) {
            throw new DamagedException(name, "block %d of %d".formatted(block, blockCount()));
        }
        return lengthAt((int) block);
    }

    private int lengthAt(int block) {
        return (int) (blockOffsets[block + 1] - blockOffsets[block]);
    }

    /// Reads a block's frame into the array, starting at index `at`, and compares it with its checksum. If it
    /// differs, reads it once more through a new reader, which is independent of earlier reads.
    void read(long block, byte[] frames, int at) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(frames).asSlice(at, lengthAt((int) block));
        try {
            readBlock(blob, block, bytes);
        } catch (DamagedException first) {
            try (BlobReader anew = openBlob(blobs, segment)) {
                readBlock(anew, block, bytes);
            }
        }
    }

    private void readBlock(BlobReader from, long block, MemorySegment bytes) throws IOException {
        long offset = blockOffsets[(int) block];
        read(from, offset, bytes, "block " + block);
        int expected = index.get(U32, block * INDEX_ENTRY_BYTES + 4);
        SegmentFormat.checkCrc(name, "block " + block, offset, expected, bytes);
    }

    private MemorySegment read(long offset, int length, String part) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        read(blob, offset, bytes, part);
        return bytes;
    }

    private void read(BlobReader from, long offset, MemorySegment bytes, String part) throws IOException {
        try {
            from.read(offset, bytes);
        } catch (EOFException truncated) {
            throw new DamagedException(name, "file ends inside " + part);
        } catch (NoSuchFileException removed) {
            throw missing(segment);
        } catch (IOException e) {
            throw StorageUnavailableException.reading(name, e);
        }
    }

    /// Copies the whole segment unchanged. Every byte was compared with its checksum.
    public void copyTo(BlobStore.BlobWriter target) throws IOException {
        target.append(header);
        for (int block = 0; block < blockOffsets.length - 1; block++) {
            byte[] frame = new byte[lengthAt(block)];
            read(block, frame, 0);
            target.append(MemorySegment.ofArray(frame));
        }
        target.append(index);
        target.append(footer);
        target.finish();
    }

    /// Applies a frame that was read to the values that the reader holds.
    void apply(long block, byte[] frames, int at, ElementType type, BlockDecoder decoder, MemorySegment values)
            throws DamagedException {
        try {
            decoder.use(tables);
            decoder.advance(frames, at, at + length(block), type, values);
        } catch (CorruptBlockException e) {
            throw corrupt(block, e);
        }
    }

    /// Applies the newest frame. The values must then equal the writer's.
    void finish(long block, byte[] frames, int at, ElementType type, BlockDecoder decoder, MemorySegment values)
            throws DamagedException {
        try {
            decoder.use(tables);
            decoder.apply(frames, at, at + length(block), type, values);
        } catch (CorruptBlockException e) {
            throw corrupt(block, e);
        }
    }

    private DamagedException corrupt(long block, CorruptBlockException e) {
        return new DamagedException(
                name, "block %d at offset %d: %s".formatted(block, blockOffsets[(int) block], e.getMessage()));
    }

    @Override
    public void close() throws IOException {
        blob.close();
    }
}
