package dev.cairn.formats;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SortedMap;

/// A file of tensors, open for reading. All it says of itself was checked when it was opened; tensors are read when
/// they are asked for. For one thread at a time.
public interface TensorFile extends AutoCloseable {
    /// The most tensors that a file may have.
    int MOST_TENSORS = 1_000_000;

    /// The most bytes that all a file says of its tensors may take, as in the reference implementation of
    /// safetensors.
    int MOST_HEADER_BYTES = 100_000_000;

    /// In the order of their bytes, each name once.
    List<NamedTensor> tensors();

    /// What the file says besides, by name.
    SortedMap<String, String> metadata();

    /// What the file has that is neither tensor nor metadata and was left out, a line each.
    List<String> notes();

    /// Fills the target with the tensor's bytes from this offset on. A format with checksums compares them at the
    /// end of a tensor that was read from its beginning in order; reading compressed ones in any other order takes
    /// long.
    void read(NamedTensor tensor, long offset, MemorySegment target) throws IOException;

    @Override
    void close() throws IOException;
}
