package dev.cairn.formats.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A file of tensors that is being written, in pieces, from its first byte to its last. For one thread at a time.
public interface TensorFileWriter extends AutoCloseable {
    /// All tensors, in the order in which their bytes must be written.
    List<NamedTensor> order();

    /// Appends bytes of the current tensor. A piece must not go beyond the tensor's end.
    void write(MemorySegment piece) throws IOException;

    /// Completes the file and makes it durable. All bytes must have been written.
    void finish() throws IOException;

    /// Closes the file, finished or not. The caller must remove an unfinished file.
    @Override
    void close() throws IOException;
}
