package dev.cairn.formats.file;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// A part of an input as a stream.
public final class InputSlice extends InputStream {
    private final Input input;
    private final long end;
    private long position;

    /// The given number of bytes, starting at this position.
    public InputSlice(Input input, long position, long sizeBytes) {
        this.input = input;
        this.position = position;
        this.end = position + sizeBytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (position == end) {
            return -1;
        }
        int count = (int) Math.min(length, end - position);
        input.read(position, MemorySegment.ofArray(bytes).asSlice(offset, count));
        position += count;
        return count;
    }
}
