package dev.cairn.formats.zip;

import static dev.cairn.formats.zip.ZipLayout.u16;

import java.lang.foreign.MemorySegment;

/// Sizes and place of an entry; −1 for a value that should be in the Zip64 field and is missing.
///
/// @param localOffset offset of its local header
record ZipSizes(long full, long compressed, long localOffset) {
    static ZipSizes of(CentralEntry entry) {
        var wide = new WideFields(zip64(entry.extra()));
        return new ZipSizes(
                wide.value(entry.fullBytes()), wide.value(entry.compressedBytes()), wide.value(entry.localOffset()));
    }

    /// The content of the Zip64 extra field; empty if there is none.
    private static MemorySegment zip64(MemorySegment extra) {
        long at = 0;
        while (at + 4 <= extra.byteSize()) {
            int length = u16(extra, at + 2);
            if (at + 4 + length > extra.byteSize()) {
                break;
            }
            if (u16(extra, at) == ZipLayout.EXTRA_ZIP64) {
                return extra.asSlice(at + 4, length);
            }
            at += 4 + length;
        }
        return MemorySegment.ofArray(new byte[0]);
    }

    /// Takes 64-bit values in order, one for each field that is too narrow for its value.
    private static final class WideFields {
        private final MemorySegment values;
        private long at;

        WideFields(MemorySegment values) {
            this.values = values;
        }

        long value(long narrow) {
            if (narrow != ZipLayout.SEE_ZIP64_32) {
                return narrow;
            }
            if (at + 8 > values.byteSize()) {
                return -1;
            }
            long value = values.get(ZipLayout.U64, at);
            at += 8;
            return value;
        }
    }
}
