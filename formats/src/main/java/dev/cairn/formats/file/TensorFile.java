package dev.cairn.formats.file;

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

    /// A part of a file that nests dictionaries.
    ///
    /// @param name what the names of its tensors begin with, before a dot
    /// @param optimizer whether it is the state of an optimizer, as PyTorch's `state_dict` tells it
    record Part(String name, boolean optimizer) {}

    /// The outermost dictionaries that hold tensors, in order, where all tensors are in one. None where any stands
    /// beside them, and in formats that nest nothing.
    default List<Part> parts() {
        return List.of();
    }

    /// Fills the target with the tensor's bytes from this offset on. A format with checksums compares them at the
    /// end of a tensor that was read from its beginning in order; reading compressed ones in any other order takes
    /// long.
    void read(NamedTensor tensor, long offset, MemorySegment target) throws IOException;

    @Override
    void close() throws IOException;
}
