package dev.cairn.formats.bundle;

import dev.cairn.formats.file.DamagedFileException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Numbers and runs of bytes, one after the other, as protocol buffers and sorted tables have them. Whatever would go
/// beyond the end is damage.
final class WireInput {
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// How the bytes of a field follow its tag.
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

    /// How many bytes were read.
    long position() {
        return at;
    }

    /// Seven bits a byte, the lowest first; 64 in all.
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
    /// @param length of any value; one beyond the end, or a negative one, is damage
    MemorySegment take(long length) throws DamagedFileException {
        if (length < 0 || length > bytes.byteSize() - at) {
            throw damaged("%s bytes where %d are left".formatted(Long.toUnsignedString(length), bytes.byteSize() - at));
        }
        MemorySegment taken = bytes.asSlice(at, length);
        at += length;
        return taken;
    }

    /// A message, or text, that its length precedes.
    WireInput message() throws DamagedFileException {
        return new WireInput(file, take(varint()));
    }

    /// Passes over a field that nobody asked for.
    ///
    /// @param tag that was read
    void skip(long tag) throws DamagedFileException {
        switch ((int) tag & 7) {
            case VARINT -> varint();
            case FIXED64 -> take(Long.BYTES);
            case LENGTH -> take(varint());
            case FIXED32 -> take(Integer.BYTES);
            default -> throw damaged("a field of no known kind: tag=" + Long.toUnsignedString(tag));
        }
    }

    DamagedFileException damaged(String problem) {
        return new DamagedFileException(file, problem);
    }
}
