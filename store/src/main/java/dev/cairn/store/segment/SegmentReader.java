package dev.cairn.store.segment;

import static dev.cairn.store.segment.SegmentFormat.FOOTER_BYTES;
import static dev.cairn.store.segment.SegmentFormat.HEADER_BYTES;
import static dev.cairn.store.segment.SegmentFormat.INDEX_ENTRY_BYTES;
import static dev.cairn.store.segment.SegmentFormat.U32;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockDecoder;
import dev.cairn.codec.block.SegmentTables;
import dev.cairn.codec.parity.ParityBuilder;
import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
import dev.cairn.store.blob.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Reads one segment. Opening checks the size, header, footer and index against the record. Every block is checked
/// against the index before its bytes are used. Damage that parity, or a copy of the run, can heal is healed.
/// Thread-safe.
public final class SegmentReader implements AutoCloseable {
    /// Seventy terabytes of values: the most that an index in one array can describe.
    private static final long MOST_BLOCKS = (Integer.MAX_VALUE - 64) / INDEX_ENTRY_BYTES;

    private final SegmentFile file;
    private final String name;
    private final MemorySegment header;
    private final MemorySegment footer;
    private final MemorySegment index;
    private final long[] blockOffsets;
    private final SegmentTables tables;

    private SegmentReader(SegmentRef segment, SegmentFile file) throws IOException {
        this.file = file;
        this.name = file.name();
        long size = segment.layout().contentBytes();
        if (size < HEADER_BYTES + FOOTER_BYTES) {
            throw new DamagedException(name, "too short for a segment: bytes=" + size);
        }
        var blockBytes = new AtomicInteger();
        this.header =
                read(0, HEADER_BYTES, bytes -> blockBytes.set(SegmentFormat.checkHeader(name, bytes, segment.id())));
        long footerOffset = size - FOOTER_BYTES;
        this.footer = read(footerOffset, FOOTER_BYTES, bytes -> SegmentFormat.checkFooter(name, bytes, footerOffset));
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
        this.index = read(
                indexOffset,
                indexBytes,
                bytes -> SegmentFormat.checkCrc(name, "index", indexOffset, foot.indexCrc(), bytes));
        this.blockOffsets = offsets(name, index, blockBytes.get() + SegmentFormat.FRAME_OVERHEAD_BYTES, indexOffset);
        this.tables = readTables();
    }

    static SegmentReader open(SegmentSource source, SegmentRef segment) throws IOException {
        SegmentFile file = SegmentFile.open(source, segment);
        try {
            return new SegmentReader(segment, file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private MemorySegment read(long offset, int length, SegmentFile.Check check) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        file.read(offset, bytes, check);
        return bytes;
    }

    /// The last block holds what the other blocks share and refer to.
    private SegmentTables readTables() throws IOException {
        if (blockOffsets.length < 2) {
            throw new DamagedException(name, "no tables");
        }
        int last = blockOffsets.length - 2;
        byte[] shared = new byte[lengthAt(last)];
        read(last, shared, 0);
        try {
            return SegmentTables.parse(shared);
        } catch (CorruptBlockException e) {
            throw new DamagedException(name, "tables: " + e.getMessage());
        }
    }

    /// The offset of each block. The last entry is the end of the blocks.
    private static long[] offsets(String name, MemorySegment index, int longest, long indexOffset)
            throws DamagedException {
        long[] offsets = new long[(int) (index.byteSize() / INDEX_ENTRY_BYTES) + 1];
        offsets[0] = HEADER_BYTES;
        for (int block = 0; block < offsets.length - 1; block++) {
            int length = index.get(U32, (long) block * INDEX_ENTRY_BYTES);
            boolean isFrame = block < offsets.length - 2;
            if (length <= 0 || (isFrame && length > longest)) {
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

    /// Reads a block's frame into the array, starting at index `at`, and compares it with its checksum. A damaged
    /// frame is healed, if it can be.
    void read(long block, byte[] frames, int at) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(frames).asSlice(at, lengthAt((int) block));
        long offset = blockOffsets[(int) block];
        int expected = index.get(U32, block * INDEX_ENTRY_BYTES + 4);
        file.read(offset, bytes, frame -> SegmentFormat.checkCrc(name, "block " + block, offset, expected, frame));
    }

    /// What is damaged in the file although all of its contents can be read; empty if nothing was noticed.
    public Optional<HealedDamage> healed() {
        return file.healed();
    }

    /// Looks for damage of the parity, which no reader of blocks notices. See [#healed].
    public void checkParity() throws IOException {
        file.checkParity();
    }

    /// Copies the contents unchanged, and gives them new parity. Every byte was compared with its checksum.
    ///
    /// @return the layout of the copy
    public ParityLayout copyTo(BlobStore.BlobWriter target) throws IOException {
        long size = blockOffsets[blockOffsets.length - 1] + index.byteSize() + footer.byteSize();
        var parity = new ParityBuilder(size);
        append(header, target, parity);
        for (int block = 0; block < blockOffsets.length - 1; block++) {
            byte[] frame = new byte[lengthAt(block)];
            read(block, frame, 0);
            append(MemorySegment.ofArray(frame), target, parity);
        }
        append(index, target, parity);
        append(footer, target, parity);
        ParityLayout layout = parity.finish((bytes, from, length) ->
                target.append(MemorySegment.ofArray(bytes).asSlice(from, length)));
        target.finish();
        return layout;
    }

    private static void append(MemorySegment bytes, BlobStore.BlobWriter target, ParityBuilder parity)
            throws IOException {
        target.append(bytes);
        parity.append(bytes);
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
        file.close();
    }
}
