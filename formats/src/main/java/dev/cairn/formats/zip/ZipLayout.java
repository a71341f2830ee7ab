package dev.cairn.formats.zip;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The fields of zip files that Cairn reads and writes, and their offsets. All are little-endian and not aligned.
public final class ZipLayout {
    static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Local header: signature, version, flags, method, time, date, crc, sizes, lengths of name and extra field.
    static final int LOCAL = 0x04034b50;

    static final int LOCAL_BYTES = 30;
    static final int LOCAL_CRC_OFFSET = 14;

    /// Entry of the central directory.
    static final int CENTRAL = 0x02014b50;

    static final int CENTRAL_BYTES = 46;

    /// Ends of the central directory: the plain end, the end for Zip64, and the locator of the latter.
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

    /// A value in a field of 16 or 32 bits that means: the value is in the Zip64 field.
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
