package dev.cairn.formats.bundle;

import java.io.ByteArrayOutputStream;

/// Writes bytes that [WireInput] reads.
final class WireOutput {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    int size() {
        return bytes.size();
    }

    void varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            bytes.write((int) (left & 0x7f) | 0x80);
            left >>>= 7;
        }
        bytes.write((int) left);
    }

    void fixed32(int value) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            bytes.write(value >>> shift);
        }
    }

    void fixed64(long value) {
        fixed32((int) value);
        fixed32((int) (value >>> Integer.SIZE));
    }

    void bytes(byte[] some) {
        bytes.write(some, 0, some.length);
    }

    void bytes(byte[] some, int from) {
        bytes.write(some, from, some.length - from);
    }

    /// Writes a field that is a number. As usual in protocol buffers, a 0 is not written.
    void number(int field, long value) {
        if (value != 0) {
            varint(((long) field << 3) | WireInput.VARINT);
            varint(value);
        }
    }

    void message(int field, byte[] content) {
        varint(((long) field << 3) | WireInput.LENGTH);
        varint(content.length);
        bytes(content);
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    void clear() {
        bytes.reset();
    }
}
