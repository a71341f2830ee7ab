package dev.cairn.formats.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Bytes that can be read at any position.
public interface Input extends AutoCloseable {
    /// The name, for messages.
    String name();

    /// The number of bytes.
    long sizeBytes();

    /// Fills the target with the bytes at this position.
    ///
    /// @throws DamagedFileException if there are fewer bytes
    void read(long position, MemorySegment target) throws IOException;

    /// Returns the given number of bytes at this position.
    ///
    /// @throws DamagedFileException if there are fewer bytes
    default byte[] bytes(long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        read(position, MemorySegment.ofArray(bytes));
        return bytes;
    }

    @Override
    void close() throws IOException;
}
