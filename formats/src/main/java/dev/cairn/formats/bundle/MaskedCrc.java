package dev.cairn.formats.bundle;

import dev.cairn.codec.Crc32c;
import java.lang.foreign.MemorySegment;

/// CRC32C as sorted tables and bundles store it: turned and moved, so that a checksum of bytes that hold checksums is
/// none of the usual ones.
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
