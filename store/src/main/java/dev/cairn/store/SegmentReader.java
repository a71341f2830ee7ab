package dev.cairn.store;

import static dev.cairn.store.SegmentFormat.FOOTER_BYTES;
import static dev.cairn.store.SegmentFormat.HEADER_BYTES;
import static dev.cairn.store.SegmentFormat.INDEX_ENTRY_BYTES;
import static dev.cairn.store.SegmentFormat.U32;

import dev.cairn.store.BlobStore.BlobReader;
import dev.cairn.store.LogRecord.SegmentRef;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;

/// Reads one segment. Opening checks size, header, footer and index against the record; every block is checked against
/// the index before its bytes go anywhere. Not thread-safe.
final class SegmentReader implements AutoCloseable {
    private final String name;
    private final BlobReader blob;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment index;
    private final long[] blockOffsets;
    private final MemorySegment workspace;

    private SegmentReader(String name, BlobReader blob, int blockBytes, MemorySegment index, long[] blockOffsets) {
        this.name = name;
        this.blob = blob;
        this.index = index;
        this.blockOffsets = blockOffsets;
        this.workspace = arena.allocate(blockBytes);
    }

    static SegmentReader open(BlobStore blobs, SegmentRef segment, long id) throws IOException {
        String name = segment.name();
        BlobReader blob;
        try {
            blob = blobs.read(name);
        } catch (NoSuchFileException absent) {
            throw new DamagedException(name, "file is missing: expected bytes=" + segment.sizeBytes());
        }
        try {
            return open(segment, id, blob);
        } catch (IOException | RuntimeException e) {
            blob.close();
            throw e;
        }
    }

    private static SegmentReader open(SegmentRef segment, long id, BlobReader blob) throws IOException {
        String name = segment.name();
        long size = blob.sizeBytes();
        if (size != segment.sizeBytes()) {
            throw new DamagedException(
                    name, "size: expected bytes=%d, actual bytes=%d".formatted(segment.sizeBytes(), size));
        }
        if (size < HEADER_BYTES + FOOTER_BYTES) {
            throw new DamagedException(name, "too short for a segment: bytes=" + size);
        }
        int blockBytes = SegmentFormat.checkHeader(name, read(blob, 0, HEADER_BYTES), id);
        long footerOffset = size - FOOTER_BYTES;
        var footer = SegmentFormat.checkFooter(name, read(blob, footerOffset, FOOTER_BYTES), footerOffset);
        if (footer.indexCrc() != segment.indexCrc()) {
            throw DamagedException.checksum(
                    name, "index checksum", footerOffset, segment.indexCrc(), footer.indexCrc());
        }
        if (footer.blockCount() < 0 || footer.blockCount() > (footerOffset - HEADER_BYTES) / INDEX_ENTRY_BYTES) {
            throw new DamagedException(name, "absurd block count: count=" + footer.blockCount());
        }
        int indexBytes = Math.toIntExact(footer.blockCount() * INDEX_ENTRY_BYTES);
        long indexOffset = footerOffset - indexBytes;
        MemorySegment index = read(blob, indexOffset, indexBytes);
        SegmentFormat.checkCrc(name, "index", indexOffset, footer.indexCrc(), index);
        return new SegmentReader(name, blob, blockBytes, index, offsets(name, index, blockBytes, indexOffset));
    }

    /// Where each block begins; the last entry is where the blocks end.
    private static long[] offsets(String name, MemorySegment index, int blockBytes, long indexOffset)
            throws DamagedException {
        long[] offsets = new long[(int) (index.byteSize() / INDEX_ENTRY_BYTES) + 1];
        offsets[0] = HEADER_BYTES;
        for (int block = 0; block < offsets.length - 1; block++) {
            int length = index.get(U32, (long) block * INDEX_ENTRY_BYTES);
            if (length <= 0 || length > blockBytes) {
                throw new DamagedException(name, "absurd length of block %d: bytes=%d".formatted(block, length));
            }
            offsets[block + 1] = offsets[block] + length;
        }
        if (offsets[offsets.length - 1] != indexOffset) {
            throw new DamagedException(name, "blocks and index do not meet");
        }
        return offsets;
    }

    long blockCount() {
        return blockOffsets.length - 1L;
    }

    /// Copies a tensor's blocks, each checked, into the target.
    void read(TensorSpec spec, long firstBlock, MemorySegment target) throws IOException {
        long block = firstBlock;
        for (long offset = 0; offset < target.byteSize(); block++) {
            if (block >= blockCount()) {
                throw new DamagedException(name, "tensor %s reaches beyond the last block".formatted(spec.name()));
            }
            MemorySegment bytes = readBlock((int) block);
            if (bytes.byteSize() > target.byteSize() - offset) {
                throw new DamagedException(
                        name, "block %d is larger than the rest of tensor %s".formatted(block, spec.name()));
            }
            MemorySegment.copy(bytes, 0, target, offset, bytes.byteSize());
            offset += bytes.byteSize();
        }
    }

    /// The checked bytes of a block, valid until the next call.
    MemorySegment readBlock(int block) throws IOException {
        long offset = blockOffsets[block];
        MemorySegment bytes = workspace.asSlice(0, blockOffsets[block + 1] - offset);
        try {
            blob.read(offset, bytes);
        } catch (EOFException truncated) {
            throw new DamagedException(name, "file ends within block " + block);
        } catch (IOException unreadable) {
            throw new DamagedException(
                    name, "block %d at offset %d cannot be read: %s".formatted(block, offset, unreadable.getMessage()));
        }
        int expected = index.get(U32, (long) block * INDEX_ENTRY_BYTES + 4);
        SegmentFormat.checkCrc(name, "block " + block, offset, expected, bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        arena.close();
        blob.close();
    }

    private static MemorySegment read(BlobReader blob, long offset, int length) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        blob.read(offset, bytes);
        return bytes;
    }
}
