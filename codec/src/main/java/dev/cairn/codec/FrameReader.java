package dev.cairn.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Reads the bytes of a frame in order, and never beyond its end.
public final class FrameReader {
    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int limit;
    private int position;

    /// Reads from `position` up to `limit` of the array.
    public FrameReader(byte[] bytes, int position, int limit) {
        this.bytes = bytes;
        this.position = position;
        this.limit = limit;
    }

    /// The array being read; only [#position] to [#limit] belong to the frame.
    public byte[] array() {
        return bytes;
    }

    /// The offset of the next byte to read.
    public int position() {
        return position;
    }

    /// The offset after the last byte.
    public int limit() {
        return limit;
    }

    /// Continues reading at this offset.
    public void setPosition(int newPosition) {
        position = newPosition;
    }

    /// The number of bytes left.
    public int remaining() {
        return limit - position;
    }

    /// The next byte, unsigned.
    public int getByte() throws CorruptBlockException {
        need(1);
        return bytes[position++] & 0xff;
    }

    /// The next four bytes, little-endian.
    public int getInt() throws CorruptBlockException {
        need(4);
        int value = (int) U32.get(bytes, position);
        position += 4;
        return value;
    }

    /// Reads an integer that must be from 0 to `most`.
    public int getCount(int most, String what) throws CorruptBlockException {
        int value = getInt();
        if (value < 0 || value > most) {
            throw new CorruptBlockException(
                    position - 4L, "%s: %s, maximum %d".formatted(what, Integer.toUnsignedString(value), most));
        }
        return value;
    }

    /// Throws if fewer bytes than this are left.
    public void need(int count) throws CorruptBlockException {
        if (count > remaining()) {
            throw new CorruptBlockException(position, "needs %d bytes, has %d".formatted(count, remaining()));
        }
    }

    /// Returns, but does not throw, the exception for damage at the current position.
    public CorruptBlockException corrupt(String reason) {
        return new CorruptBlockException(position, reason);
    }
}
