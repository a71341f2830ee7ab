package dev.cairn.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/// Computes the CRC32C (Castagnoli) of memory of any size, heap or native. The JDK's intrinsic makes it run at hardware
/// speed.
public final class Crc32c {
    private static final long LARGEST_SLICE = 1 << 30;
    private static final int LARGEST_COPY = 1 << 14;

    private Crc32c() {}

    /// The checksum of all these bytes.
    public static int of(MemorySegment bytes) {
        var crc = new CRC32C();
        if (!bytes.isNative() && !(bytes.heapBase().orElse(null) instanceof byte[])) {
            return ofCopies(bytes, crc);
        }
        for (long offset = 0; offset < bytes.byteSize(); offset += LARGEST_SLICE) {
            long length = Math.min(LARGEST_SLICE, bytes.byteSize() - offset);
            crc.update(bytes.asSlice(offset, length).asByteBuffer());
        }
        return (int) crc.getValue();
    }

    /// Only byte arrays can be viewed as a byte buffer, so the bytes of other arrays are copied.
    private static int ofCopies(MemorySegment bytes, CRC32C crc) {
        byte[] copy = new byte[(int) Math.min(LARGEST_COPY, bytes.byteSize())];
        for (long offset = 0; offset < bytes.byteSize(); offset += copy.length) {
            int length = (int) Math.min(copy.length, bytes.byteSize() - offset);
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, offset, copy, 0, length);
            crc.update(copy, 0, length);
        }
        return (int) crc.getValue();
    }

    /// The checksum of all these bytes.
    public static int of(byte[] bytes) {
        return of(bytes, 0, bytes.length);
    }

    /// The checksum of `length` bytes, starting at `from`.
    public static int of(byte[] bytes, int from, int length) {
        var crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /// The checksum as eight lower-case hexadecimal digits, as errors and records show it.
    public static String text(int crc) {
        return HexFormat.of().toHexDigits(crc);
    }
}
