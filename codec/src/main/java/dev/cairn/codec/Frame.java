package dev.cairn.codec;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The bytes of one encoded block while they are being written. Reused from block to block; it has room for the largest
/// raw block and what an encoder may write in vain before it falls back to raw.
public final class Frame {
    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[1 << 12];
    private int size;

    /// Begins a new block.
    public void clear() {
        size = 0;
    }

    /// How many bytes there are.
    public int size() {
        return size;
    }

    /// The bytes, valid until the frame is written again.
    public MemorySegment contents() {
        return MemorySegment.ofArray(bytes).asSlice(0, size);
    }

    /// The array to write into, with room for so many bytes after [#size].
    public byte[] reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
        return bytes;
    }

    /// Says that the array was written up to here.
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
