package dev.cairn.s3;

import dev.cairn.codec.Crc32c;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Base64;
import software.amazon.awssdk.core.sync.RequestBody;

/// Bytes that can be sent any number of times, and the checksum with which the server verifies them.
record Payload(MemorySegment bytes) {
    static Payload of(byte[] bytes) {
        return new Payload(MemorySegment.ofArray(bytes));
    }

    String crc32c() {
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(Integer.BYTES)
                        .putInt(Crc32c.of(bytes))
                        .array());
    }

    long sizeBytes() {
        return bytes.byteSize();
    }

    RequestBody body() {
        return RequestBody.fromContentProvider(() -> new Stream(bytes), sizeBytes(), "application/octet-stream");
    }

    /// One pass over the bytes.
    private static final class Stream extends InputStream {
        private final MemorySegment bytes;
        private long at;
        private long mark;

        Stream(MemorySegment bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return at == bytes.byteSize() ? -1 : bytes.get(ValueLayout.JAVA_BYTE, at++) & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length > 0 && at == bytes.byteSize()) {
                return -1;
            }
            int count = available(length);
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, target, offset, count);
            at += count;
            return count;
        }

        @Override
        public int available() {
            return available(Integer.MAX_VALUE);
        }

        private int available(int most) {
            return (int) Math.min(most, bytes.byteSize() - at);
        }

        @Override
        public boolean markSupported() {
            return true;
        }

        @Override
        public synchronized void mark(int readLimit) {
            mark = at;
        }

        @Override
        public synchronized void reset() {
            at = mark;
        }
    }
}
