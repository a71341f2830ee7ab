package dev.cairn.formats.zip;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The fields of zip files that Cairn reads and writes, by their offsets; all little-endian and without alignment.
public final class ZipLayout {
    static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Local header: signature, version, flags, method, time, date, crc, sizes, lengths of name and extra.
    static final int LOCAL = 0x04034b50;

    static final int LOCAL_BYTES = 30;
    static final int LOCAL_CRC_OFFSET = 14;

    /// Entry of the central directory.
    static final int CENTRAL = 0x02014b50;

    static final int CENTRAL_BYTES = 46;

    /// End of the central directory, the plain one, that of Zip64, and what says where the latter is.
    static final int END = 0x06054b50;

    static final int END_BYTES = 22;
    static final int END64 = 0x06064b50;
    static final int END64_BYTES = 56;
    static final int LOCATOR64 = 0x07064b50;
    static final int LOCATOR64_BYTES = 20;

    static final int EXTRA_ZIP64 = 1;
    static final int FLAG_ENCRYPTED = 1;
    static final int FLAG_UTF8 = 1 << 11;
    static final int STORED = 0;
    static final int DEFLATED = 8;

    /// In fields of 16 and 32 bits: the value is in the field of Zip64.
    static final int SEE_ZIP64_16 = 0xffff;

    static final long SEE_ZIP64_32 = 0xffff_ffffL;

    private ZipLayout() {}

    public static int u16(MemorySegment bytes, long offset) {
        return Short.toUnsignedInt(bytes.get(U16, offset));
    }

    static long u32(MemorySegment bytes, long offset) {
        return Integer.toUnsignedLong(bytes.get(U32, offset));
    }
}
