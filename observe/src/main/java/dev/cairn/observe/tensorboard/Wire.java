package dev.cairn.observe.tensorboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/// Builds a message in the wire format of protocol buffers, field by field. Not thread-safe.
final class Wire {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Wire integer(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    Wire float64(int field, double value) {
        tag(field, FIXED64);
        littleEndian(Double.doubleToRawLongBits(value), Double.BYTES);
        return this;
    }

    Wire float32(int field, float value) {
        tag(field, FIXED32);
        littleEndian(Float.floatToRawIntBits(value), Float.BYTES);
        return this;
    }

    /// All values in one field, packed.
    Wire float64s(int field, double[] values) {
        tag(field, LENGTH);
        varint((long) Double.BYTES * values.length);
        for (double value : values) {
            littleEndian(Double.doubleToRawLongBits(value), Double.BYTES);
        }
        return this;
    }

    Wire text(int field, String value) {
        return raw(field, value.getBytes(UTF_8));
    }

    Wire message(int field, Wire message) {
        return raw(field, message.bytes());
    }

    private Wire raw(int field, byte[] value) {
        tag(field, LENGTH);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    private void tag(int field, int type) {
        varint(((long) field << 3) | type);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    private void littleEndian(long bits, int count) {
        for (int i = 0; i < count; i++) {
            bytes.write((int) (bits >>> (8 * i)));
        }
    }
}
