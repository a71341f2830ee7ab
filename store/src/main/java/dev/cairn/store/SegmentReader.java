package dev.cairn.store;

import static dev.cairn.store.SegmentFormat.FOOTER_BYTES;
import static dev.cairn.store.SegmentFormat.HEADER_BYTES;
import static dev.cairn.store.SegmentFormat.INDEX_ENTRY_BYTES;
import static dev.cairn.store.SegmentFormat.U32;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockDecoder;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.BlobStore.BlobReader;
import dev.cairn.store.LogRecord.SegmentRef;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/// Reads one segment. Opening checks size, header, footer and index against the record; every block is checked against
/// the index before its bytes go anywhere. Immutable, so that several threads may share it.
final class SegmentReader implements AutoCloseable {
    /// Seventy terabytes of values: as many as an index in one array has.
    private static final long MOST_BLOCKS = (Integer.MAX_VALUE - 64) / INDEX_ENTRY_BYTES;

    private final String name;
    private final BlobReader blob;
    private final long version;
    private final int blockBytes;
    private final MemorySegment index;
    private final long[] blockOffsets;
    private final TableSet tables;

    private SegmentReader(
            String name, BlobReader blob, SegmentFormat.Header header, MemorySegment index, long[] blockOffsets)
            throws IOException {
        this.name = name;
        this.blob = blob;
        this.version = header.version();
        this.blockBytes = header.blockBytes();
        this.index = index;
        this.blockOffsets = blockOffsets;
        this.tables = readTables();
    }

    static SegmentReader open(BlobStore blobs, SegmentRef segment, long id) throws IOException {
        String name = segment.name();
        BlobReader blob;
        try {
            blob = blobs.read(name);
        } catch (NoSuchFileException absent) {
            throw new DamagedException(name, "file is missing: expected bytes=" + segment.sizeBytes());
        } catch (AccessDeniedException | StorageUnavailableException notDamage) {
            throw notDamage;
        } catch (IOException unreadable) {
            throw DamagedException.unreadable(name, unreadable);
        }
        try {
            return open(segment, id, blob);
        } catch (StoreException | StorageUnavailableException | RuntimeException e) {
            blob.close();
            throw e;
        } catch (IOException unreadable) {
            blob.close();
            throw DamagedException.unreadable(name, unreadable);
        }
    }

    private static SegmentReader open(SegmentRef segment, long id, BlobReader blob) throws IOException {
        String name = segment.name();
        long size = blob.sizeBytes();
        if (size != segment.sizeBytes()) {
            throw new DamagedException(
                    name,
                    "size: expected bytes=%d, actual bytes=%d; index: expected crc32c=%s, actual crc32c=(not where it should be)"
                            .formatted(segment.sizeBytes(), size, Crc32c.text(segment.indexCrc())));
        }
        if (size < HEADER_BYTES + FOOTER_BYTES) {
            throw new DamagedException(name, "too short for a segment: bytes=" + size);
        }
        var header = SegmentFormat.checkHeader(name, read(blob, 0, HEADER_BYTES), id);
        long footerOffset = size - FOOTER_BYTES;
        var footer = SegmentFormat.checkFooter(name, read(blob, footerOffset, FOOTER_BYTES), footerOffset);
        if (footer.indexCrc() != segment.indexCrc()) {
            throw DamagedException.checksum(
                    name, "index checksum", footerOffset, segment.indexCrc(), footer.indexCrc());
        }
        if (footer.blockCount() < 0
                || footer.blockCount() > Math.min(MOST_BLOCKS, (footerOffset - HEADER_BYTES) / INDEX_ENTRY_BYTES)) {
            throw new DamagedException(name, "absurd block count: count=" + footer.blockCount());
        }
        int indexBytes = Math.toIntExact(footer.blockCount() * INDEX_ENTRY_BYTES);
        long indexOffset = footerOffset - indexBytes;
        MemorySegment index = read(blob, indexOffset, indexBytes);
        SegmentFormat.checkCrc(name, "index", indexOffset, footer.indexCrc(), index);
        int longest = header.blockBytes() + SegmentFormat.FRAME_OVERHEAD_BYTES;
        return new SegmentReader(name, blob, header, index, offsets(name, index, longest, indexOffset));
    }

    /// Since version 3 the last block holds the tables that the others name.
    private TableSet readTables() throws IOException {
        if (version < 3) {
            return TableSet.empty();
        }
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

    /// Where each block begins; the last entry is where the blocks end.
    private static long[] offsets(String name, MemorySegment index, int longest, long indexOffset)
            throws DamagedException {
        long[] offsets = new long[(int) (index.byteSize() / INDEX_ENTRY_BYTES) + 1];
        offsets[0] = HEADER_BYTES;
        for (int block = 0; block < offsets.length - 1; block++) {
            int length = index.get(U32, (long) block * INDEX_ENTRY_BYTES);
            if (length <= 0 || length > longest) {
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
        return blockOffsets.length - (version < 3 ? 1L : 2L);
    }

    /// How many bytes of a tensor of this type a block stands for; the last of a tensor may stand for fewer.
    int blockBytes(ElementType type) {
        return version == 1 ? blockBytes : BlockEncoder.blockBytes(type);
    }

    String name() {
        return name;
    }

    /// How many bytes a block's frame has.
    int length(long block) throws DamagedException {
        if (block < 0 || block >= blockCount()) {
            throw new DamagedException(name, "block %d of %d".formatted(block, blockCount()));
        }
        return lengthAt((int) block);
    }

    private int lengthAt(int block) {
        return (int) (blockOffsets[block + 1] - blockOffsets[block]);
    }

    /// Reads a block's frame into the array, from index `at` on, and compares it with its checksum.
    void read(long block, byte[] frames, int at) throws IOException {
        long offset = blockOffsets[(int) block];
        MemorySegment bytes = MemorySegment.ofArray(frames).asSlice(at, lengthAt((int) block));
        try {
            blob.read(offset, bytes);
        } catch (EOFException truncated) {
            throw new DamagedException(name, "file ends within block " + block);
        } catch (StorageUnavailableException notDamage) {
            throw notDamage;
        } catch (IOException unreadable) {
            throw new DamagedException(
                    name, "block %d at offset %d cannot be read: %s".formatted(block, offset, unreadable.getMessage()));
        }
        int expected = index.get(U32, block * INDEX_ENTRY_BYTES + 4);
        SegmentFormat.checkCrc(name, "block " + block, offset, expected, bytes);
    }

    /// Writes the whole segment as it is. Every block is compared with its checksum on the way; header, index and
    /// footer are for who opens the result.
    void copyTo(BlobStore.BlobWriter target) throws IOException {
        target.append(read(blob, 0, HEADER_BYTES));
        for (int block = 0; block < blockOffsets.length - 1; block++) {
            byte[] frame = new byte[lengthAt(block)];
            read(block, frame, 0);
            target.append(MemorySegment.ofArray(frame));
        }
        long end = blockOffsets[blockOffsets.length - 1];
        target.append(read(blob, end, Math.toIntExact(blob.sizeBytes() - end)));
        target.finish();
    }

    /// Whether a frame that was read needs no reference. In version 1 blocks are the values themselves.
    boolean standsAlone(byte[] frames, int at, int length) {
        return version == 1 || BlockDecoder.standsAlone(frames, at, at + length);
    }

    /// Applies a frame that was read to the values that the reader holds.
    void apply(long block, byte[] frames, int at, ElementType type, BlockDecoder decoder, MemorySegment values)
            throws DamagedException {
        if (version == 1) {
            applyRaw(block, frames, at, values);
            return;
        }
        try {
            decoder.use(tables);
            decoder.advance(frames, at, at + length(block), type, values);
        } catch (CorruptBlockException e) {
            throw corrupt(block, e);
        }
    }

    /// The same for the newest frame: the values must be the writer's then.
    void finish(long block, byte[] frames, int at, ElementType type, BlockDecoder decoder, MemorySegment values)
            throws DamagedException {
        if (version == 1) {
            applyRaw(block, frames, at, values);
            return;
        }
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

    private void applyRaw(long block, byte[] frames, int at, MemorySegment values) throws DamagedException {
        int length = length(block);
        if (length != values.byteSize()) {
            throw new DamagedException(
                    name, "block %d has %d bytes, not %d".formatted(block, length, values.byteSize()));
        }
        MemorySegment.copy(MemorySegment.ofArray(frames), at, values, 0, length);
    }

    @Override
    public void close() throws IOException {
        blob.close();
    }

    private static MemorySegment read(BlobReader blob, long offset, int length) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        blob.read(offset, bytes);
        return bytes;
    }
}
