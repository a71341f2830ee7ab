package dev.cairn.formats;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Bytes that can be read from any place.
interface Input extends AutoCloseable {
    /// For people.
    String name();

    long sizeBytes();

    /// Fills the target with what is at this position.
    ///
    /// @throws DamagedFileException where there is less
    void read(long position, MemorySegment target) throws IOException;

    default byte[] bytes(long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        read(position, MemorySegment.ofArray(bytes));
        return bytes;
    }

    @Override
    void close() throws IOException;
}
