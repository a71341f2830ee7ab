package dev.cairn.formats.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Bytes that can be read from any place.
public interface Input extends AutoCloseable {
    /// For people.
    String name();

    /// How many there are.
    long sizeBytes();

    /// Fills the target with what is at this position.
    ///
    /// @throws DamagedFileException where there is less
    void read(long position, MemorySegment target) throws IOException;

    /// So many bytes at this position.
    ///
    /// @throws DamagedFileException where there are less
    default byte[] bytes(long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        read(position, MemorySegment.ofArray(bytes));
        return bytes;
    }

    @Override
    void close() throws IOException;
}
