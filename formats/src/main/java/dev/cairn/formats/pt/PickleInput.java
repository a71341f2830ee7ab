package dev.cairn.formats.pt;

import dev.cairn.formats.file.DamagedFileException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Reads the bytes of a pickle in order. Reading beyond the end is damage.
final class PickleInput {
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// The maximum length of the name of a module or class. No real name is as long.
    private static final int LONGEST_LINE = 1000;

    private final String file;
    private final byte[] bytes;
    private final MemorySegment memory;
    private int position;

    PickleInput(String file, byte[] bytes) {
        this.file = file;
        this.bytes = bytes;
        this.memory = MemorySegment.ofArray(bytes);
    }

    /// The number of bytes that were read.
    int position() {
        return position;
    }

    int u8() throws DamagedFileException {
        return bytes[advance(1)] & 0xff;
    }

    int u16() throws DamagedFileException {
        return Short.toUnsignedInt(memory.get(U16, advance(2)));
    }

    int i32() throws DamagedFileException {
        return memory.get(I32, advance(4));
    }

    long i64() throws DamagedFileException {
        return memory.get(I64, advance(8));
    }

    /// Reads a float. It is the only number that pickles store with its highest byte first.
    double f64() throws DamagedFileException {
        return memory.get(F64, advance(8));
    }

    String text(long length) throws DamagedFileException {
        int from = advance(length);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, (int) length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw damaged("text that is not UTF-8");
        }
    }

    /// Reads up to the next line feed and skips it.
    String line() throws DamagedFileException {
        int end = position;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
            if (end - position > LONGEST_LINE) {
                throw damaged("a name of more than %d bytes".formatted(LONGEST_LINE));
            }
        }
        String line = text(end - position);
        advance(1);
        return line;
    }

    /// Reads a whole number of the given size, at most eight bytes, lowest byte first.
    long whole(int length) throws DamagedFileException {
        int from = advance(length);
        long number = 0;
        for (int i = length - 1; i >= 0; i--) {
            number = (number << 8) | (bytes[from + i] & 0xff);
        }
        int unused = Long.SIZE - 8 * length;
        return length == 0 ? 0 : number << unused >> unused;
    }

    void skip(long length) throws DamagedFileException {
        advance(length);
    }

    DamagedFileException damaged(String problem) {
        return new DamagedFileException(file, "pickle: %s at byte %d".formatted(problem, position));
    }

    private int advance(long length) throws DamagedFileException {
        if (length < 0 || length > bytes.length - position) {
            throw damaged("%d bytes expected, but %d are left,".formatted(length, bytes.length - position));
        }
        int from = position;
        position += (int) length;
        return from;
    }
}
