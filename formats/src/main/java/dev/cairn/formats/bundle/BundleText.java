package dev.cairn.formats.bundle;

import dev.cairn.formats.file.DamagedFileException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/// One text as a bundle stores it: its length, a checksum of the length, and its bytes. The checksum of the whole
/// covers the length as four bytes and the rest as stored.
final class BundleText {
    private BundleText() {}

    static byte[] store(byte[] text) {
        var stored = new WireOutput();
        stored.varint(text.length);
        stored.fixed32(MaskedCrc.of(fixed(text.length)));
        stored.bytes(text);
        return stored.toBytes();
    }

    /// The masked checksum of a stored text.
    ///
    /// @param length length of the text
    static int crc(byte[] stored, int length) {
        var sum = new CRC32C();
        sum.update(fixed(length));
        int rest = Integer.BYTES + length;
        sum.update(stored, stored.length - rest, rest);
        return MaskedCrc.mask((int) sum.getValue());
    }

    /// Returns the text after comparing it with its checksums.
    static byte[] load(String file, byte[] stored, int crc) throws DamagedFileException {
        var input = new WireInput(file, MemorySegment.ofArray(stored));
        long length = input.varint();
        int lengthCrc = input.fixed32();
        byte[] text = input.take(length).toArray(ValueLayout.JAVA_BYTE);
        if (input.hasMore() || MaskedCrc.of(fixed(text.length)) != lengthCrc || crc(stored, text.length) != crc) {
            throw input.damaged("metadata does not match its crc32c");
        }
        return text;
    }

    private static byte[] fixed(int length) {
        var bytes = new WireOutput();
        bytes.fixed32(length);
        return bytes.toBytes();
    }
}
