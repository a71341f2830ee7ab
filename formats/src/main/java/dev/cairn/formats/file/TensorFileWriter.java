package dev.cairn.formats.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A file of tensors that is being written, in pieces, from its first byte to its last. For one thread at a time.
public interface TensorFileWriter extends AutoCloseable {
    /// All tensors, in the order in which their bytes are to come.
    List<NamedTensor> order();

    /// Appends bytes of the tensor whose turn it is; a piece does not go beyond its end.
    void write(MemorySegment piece) throws IOException;

    /// Ends the file, for which all bytes must have come, and makes it durable.
    void finish() throws IOException;

    /// Closes the file, finished or not; removing what is not is up to the caller.
    @Override
    void close() throws IOException;
}
