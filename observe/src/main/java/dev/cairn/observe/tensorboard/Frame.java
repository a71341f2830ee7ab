package dev.cairn.observe.tensorboard;

import dev.cairn.codec.Crc32c;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A record as event files hold it: its length and the checksum of that, then its bytes and their checksum.
final class Frame {
    static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
    static final int FOOTER_BYTES = Integer.BYTES;

    private static final int MASK = 0xa282ead8;

    private Frame() {}

    static byte[] of(byte[] record) {
        ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + record.length + FOOTER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(record.length);
        frame.putInt(checksum(frame.array(), 0, Long.BYTES)).put(record);
        return frame.putInt(checksum(record, 0, record.length)).array();
    }

    /// The CRC32C, rotated, and a constant added: so that the checksum of bytes that hold checksums is not a plain one.
    static int checksum(byte[] bytes, int from, int count) {
        int crc = Crc32c.of(MemorySegment.ofArray(bytes).asSlice(from, count));
        return Integer.rotateRight(crc, 15) + MASK;
    }
}
