package dev.cairn.formats.bundle;

import dev.cairn.codec.Crc32c;
import java.lang.foreign.MemorySegment;

/// CRC32C as sorted tables and bundles store it: rotated, and a constant added. So the checksum of bytes that
/// contain checksums is not a plain CRC32C.
final class MaskedCrc {
    private static final int DELTA = 0xa282ead8;

    private MaskedCrc() {}

    static int of(MemorySegment bytes) {
        return mask(Crc32c.of(bytes));
    }

    static int of(byte[] bytes) {
        return of(MemorySegment.ofArray(bytes));
    }

    static int mask(int crc) {
        return Integer.rotateRight(crc, 15) + DELTA;
    }
}
