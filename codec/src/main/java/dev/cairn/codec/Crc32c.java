package dev.cairn.codec;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/// CRC32C (Castagnoli) of memory of any size, heap or native; hardware-speed through the JDK's intrinsic.
public final class Crc32c {
    private static final long LARGEST_SLICE = 1 << 30;

    private Crc32c() {}

    /// The checksum of all these bytes.
    public static int of(MemorySegment bytes) {
        var crc = new CRC32C();
        for (long offset = 0; offset < bytes.byteSize(); offset += LARGEST_SLICE) {
            long length = Math.min(LARGEST_SLICE, bytes.byteSize() - offset);
            crc.update(bytes.asSlice(offset, length).asByteBuffer());
        }
        return (int) crc.getValue();
    }

    /// The checksum of all these bytes.
    public static int of(byte[] bytes) {
        return of(bytes, 0, bytes.length);
    }

    /// The checksum of so many of these bytes.
    public static int of(byte[] bytes, int from, int length) {
        var crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /// Eight lower-case hexadecimal digits, as errors and records show a checksum.
    public static String text(int crc) {
        return HexFormat.of().toHexDigits(crc);
    }
}
