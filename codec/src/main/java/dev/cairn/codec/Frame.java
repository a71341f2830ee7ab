package dev.cairn.codec;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The bytes of one encoded block while they are being written. Reused from block to block. It has room for the largest
/// raw block and for what an encoder may write before it falls back to raw.
public final class Frame {
    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[1 << 12];
    private int size;

    /// Starts a new block.
    public void clear() {
        size = 0;
    }

    /// The number of bytes written.
    public int size() {
        return size;
    }

    /// The bytes, valid until the frame is written again.
    public MemorySegment contents() {
        return MemorySegment.ofArray(bytes).asSlice(0, size);
    }

    /// Returns the array to write into, with room for this many bytes after [#size].
    public byte[] reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
        return bytes;
    }

    /// Sets the number of bytes written, after the caller has written into the array.
    public void setSize(int newSize) {
        size = newSize;
    }

    /// Appends the lowest eight bits.
    public void putByte(int value) {
        reserve(1)[size++] = (byte) value;
    }

    /// Appends four bytes, little-endian.
    public void putInt(int value) {
        U32.set(reserve(4), size, value);
        size += 4;
    }

    /// Appends all these bytes.
    public void putAll(MemorySegment source) {
        int length = Math.toIntExact(source.byteSize());
        reserve(length);
        MemorySegment.copy(source, 0, MemorySegment.ofArray(bytes), size, length);
        size += length;
    }
}
