package dev.cairn.store.segment;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The fixed parts of a segment file. All numbers are little-endian.
///
/// ```
/// Segment := Header Block* Tables Index Footer
/// Header  := magic:u64 version:u32 blockBytes:u32 id:u64 crc:u32    CRC of the 24 bytes before it
/// Index   := (length:u32 crc:u32)*                                  one entry a block, in order, and one for the
/// tables
/// Footer  := blockCount:u64 indexCrc:u32 magic:u64 crc:u32          CRC of the 20 bytes before it
/// ```
public final class SegmentFormat {
    static final int VERSION = 1;
    public static final int HEADER_BYTES = 28;
    public static final int FOOTER_BYTES = 24;
    public static final int INDEX_ENTRY_BYTES = 8;
    /// The maximum size of a frame beyond the size of its values, in bytes.
    static final int FRAME_OVERHEAD_BYTES = 64;

    /// A reader allocates memory for the block size in a header. A size larger than any version writes is refused.
    private static final int LARGEST_BLOCK_BYTES = 1 << 20;

    public static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// "CAIRNSEG" and "CAIRNEND" as they appear in the file.
    private static final long HEADER_MAGIC = 0x4745534e52494143L;

    private static final long FOOTER_MAGIC = 0x444e454e52494143L;

    private SegmentFormat() {}

    record Footer(long blockCount, int indexCrc) {}

    static MemorySegment header(long id) {
        MemorySegment header = MemorySegment.ofArray(new byte[HEADER_BYTES]);
        header.set(U64, 0, HEADER_MAGIC);
        header.set(U32, 8, VERSION);
        header.set(U32, 12, BlockEncoder.BLOCK_BYTES);
        header.set(U64, 16, id);
        header.set(U32, 24, Crc32c.of(header.asSlice(0, 24)));
        return header;
    }

    static MemorySegment footer(long blockCount, int indexCrc) {
        MemorySegment footer = MemorySegment.ofArray(new byte[FOOTER_BYTES]);
        footer.set(U64, 0, blockCount);
        footer.set(U32, 8, indexCrc);
        footer.set(U64, 12, FOOTER_MAGIC);
        footer.set(U32, 20, Crc32c.of(footer.asSlice(0, 20)));
        return footer;
    }

    /// Checks the header, including the id of the segment.
    ///
    /// @return the maximum number of bytes of values in a block
    static int checkHeader(String file, MemorySegment header, long id) throws StoreException {
        checkCrc(file, "header", 0, header.get(U32, 24), header.asSlice(0, 24));
        if (header.get(U64, 0) != HEADER_MAGIC) {
            throw new DamagedException(file, "not a segment: wrong magic");
        }
        long version = Integer.toUnsignedLong(header.get(U32, 8));
        if (version > VERSION) {
            throw new NewerFormatException(file, version, VERSION);
        }
        if (version == 0) {
            throw new DamagedException(file, "not a segment: version 0");
        }
        if (header.get(U64, 16) != id) {
            throw new DamagedException(
                    file, "a different segment: expected id=%016x, actual id=%016x".formatted(id, header.get(U64, 16)));
        }
        int blockBytes = header.get(U32, 12);
        if (blockBytes <= 0 || blockBytes > LARGEST_BLOCK_BYTES) {
            throw new DamagedException(file, "implausible block size: bytes=" + Integer.toUnsignedString(blockBytes));
        }
        return blockBytes;
    }

    static Footer checkFooter(String file, MemorySegment footer, long offset) throws StoreException {
        checkCrc(file, "footer", offset, footer.get(U32, 20), footer.asSlice(0, 20));
        if (footer.get(U64, 12) != FOOTER_MAGIC) {
            throw new DamagedException(file, "not the end of a segment: wrong magic");
        }
        return new Footer(footer.get(U64, 0), footer.get(U32, 8));
    }

    static void checkCrc(String file, String part, long offset, int expected, MemorySegment bytes)
            throws DamagedException {
        int actual = Crc32c.of(bytes);
        if (actual != expected) {
            throw DamagedException.checksum(file, part, offset, expected, actual);
        }
    }
}
