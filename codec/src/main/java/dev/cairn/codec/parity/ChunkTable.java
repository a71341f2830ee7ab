package dev.cairn.codec.parity;

import dev.cairn.codec.Crc32c;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checksums of all chunks of a file, as each of its two tables holds them.
final class ChunkTable {
    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;

    private ChunkTable(byte[] bytes) {
        this.bytes = bytes;
    }

    /// @param checksums one for each chunk, contents first, then parity
    static ChunkTable of(int[] checksums, int count) {
        byte[] bytes = new byte[Integer.BYTES * (count + 1)];
        for (int i = 0; i < count; i++) {
            U32.set(bytes, Integer.BYTES * i, checksums[i]);
        }
        int end = Integer.BYTES * count;
        U32.set(bytes, end, Crc32c.of(bytes, 0, end));
        return new ChunkTable(bytes);
    }

    /// Takes a table that was read; empty if it is damaged.
    static Optional<ChunkTable> parse(byte[] bytes) {
        int end = bytes.length - Integer.BYTES;
        return (int) U32.get(bytes, end) == Crc32c.of(bytes, 0, end)
                ? Optional.of(new ChunkTable(bytes))
                : Optional.empty();
    }

    /// Whether the chunk at this position has the bytes that were written.
    boolean matches(int position, byte[] bytesOfChunk, int from, int length) {
        return (int) U32.get(bytes, Integer.BYTES * position) == Crc32c.of(bytesOfChunk, from, length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChunkTable table && Arrays.equals(bytes, table.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The table as the file holds it.
    byte[] bytes() {
        return bytes;
    }
}
