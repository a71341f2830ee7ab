package dev.cairn.formats.bundle;

import dev.cairn.formats.file.DamagedFileException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads numbers and sequences of bytes as protocol buffers and sorted tables store them. Reading beyond the end is
/// damage.
final class WireInput {
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Kinds of fields: how the bytes of a field follow its tag.
    static final int VARINT = 0;

    static final int FIXED64 = 1;
    static final int LENGTH = 2;
    static final int FIXED32 = 5;

    private final String file;
    private final MemorySegment bytes;
    private long at;

    WireInput(String file, MemorySegment bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    boolean hasMore() {
        return at < bytes.byteSize();
    }

    /// The number of bytes that were read.
    long position() {
        return at;
    }

    /// Reads a number of up to 64 bits: seven bits in each byte, the lowest first.
    long varint() throws DamagedFileException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = take(1).get(ValueLayout.JAVA_BYTE, 0);
            if (shift == 63 && (next & 0xfe) != 0) {
                break;
            }
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw damaged("a number of more than 64 bits");
    }

    int fixed32() throws DamagedFileException {
        return take(Integer.BYTES).get(U32, 0);
    }

    /// The next bytes, without a copy.
    ///
    /// @param length any value; a negative length and one beyond the end are damage
    MemorySegment take(long length) throws DamagedFileException {
        if (length < 0 || length > bytes.byteSize() - at) {
            throw damaged("%s bytes expected, but %d are left"
                    .formatted(Long.toUnsignedString(length), bytes.byteSize() - at));
        }
        MemorySegment taken = bytes.asSlice(at, length);
        at += length;
        return taken;
    }

    /// Reads a message or text that follows its length.
    WireInput message() throws DamagedFileException {
        return new WireInput(file, take(varint()));
    }

    /// Skips a field that is not used.
    ///
    /// @param tag the tag of the field, already read
    void skip(long tag) throws DamagedFileException {
        switch ((int) tag & 7) {
            case VARINT -> varint();
            case FIXED64 -> take(Long.BYTES);
            case LENGTH -> take(varint());
            case FIXED32 -> take(Integer.BYTES);
            default -> throw damaged("a field of an unknown kind: tag=" + Long.toUnsignedString(tag));
        }
    }

    DamagedFileException damaged(String problem) {
        return new DamagedFileException(file, problem);
    }
}
