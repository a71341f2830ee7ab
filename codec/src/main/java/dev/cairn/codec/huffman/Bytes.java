package dev.cairn.codec.huffman;

import dev.cairn.codec.CorruptBlockException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Little-endian words and LEB128 numbers in byte arrays.
final class Bytes {
    /// Eight bytes at any index, little-endian. Static final, so that the compiler can inline it.
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private Bytes() {}

    /// Returns the eight bytes at `at`, with zeros after the end of the array.
    static long longOrZeros(byte[] bytes, int at) {
        if (at <= bytes.length - Long.BYTES) {
            return (long) LONG.get(bytes, at);
        }
        long value = 0;
        for (int i = bytes.length - 1; i >= at; i--) {
            value = (value << 8) | (bytes[i] & 0xFF);
        }
        return value;
    }

    /// Writes a non-negative number, seven bits per byte, low bits first. Returns the index after it.
    static int putVarint(byte[] bytes, int at, int value) {
        int rest = value;
        int next = at;
        while (rest >= 0x80) {
            bytes[next++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[next++] = (byte) rest;
        return next;
    }

    static int varintSize(int value) {
        return value < 0x80 ? 1 : (38 - Integer.numberOfLeadingZeros(value)) / 7;
    }

    /// Reads numbers, and rejects bytes that the writer would not have written.
    static final class Reader {
        private final byte[] bytes;
        private final int end;
        private int at;

        Reader(byte[] bytes, int from, int to) throws CorruptBlockException {
            if (from < 0 || to > bytes.length || from > to) {
                throw new CorruptBlockException(from, "range to=" + to + " outside bytes=" + bytes.length);
            }
            this.bytes = bytes;
            this.at = from;
            this.end = to;
        }

        int at() {
            return at;
        }

        int remaining() {
            return end - at;
        }

        int unsignedByte() throws CorruptBlockException {
            if (at == end) {
                throw new CorruptBlockException(at, "ends too early");
            }
            return bytes[at++] & 0xFF;
        }

        int varint() throws CorruptBlockException {
            int start = at;
            long value = 0;
            for (int shift = 0; shift < 35; shift += 7) {
                int next = unsignedByte();
                value |= (long) (next & 0x7F) << shift;
                if (next < 0x80) {
                    if (value > Integer.MAX_VALUE || (next == 0 && shift > 0)) {
                        break;
                    }
                    return (int) value;
                }
            }
            throw new CorruptBlockException(start, "number too large or not in its shortest form");
        }

        /// Moves past this many bytes, which must be available, and returns where they start.
        int skip(int length) throws CorruptBlockException {
            if (length < 0 || length > end - at) {
                throw new CorruptBlockException(at, "needs bytes=" + length + " but has bytes=" + (end - at));
            }
            int start = at;
            at += length;
            return start;
        }

        /// Copies all remaining bytes.
        void copyTo(byte[] target, int index) {
            System.arraycopy(bytes, at, target, index, end - at);
            at = end;
        }

        void expectEnd() throws CorruptBlockException {
            if (at != end) {
                throw new CorruptBlockException(at, "trailing bytes=" + (end - at));
            }
        }
    }
}
