package dev.cairn.formats.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SortedMap;

/// A file of tensors, open for reading. Its description of the tensors was checked when it was opened; the tensors
/// themselves are read on request. For one thread at a time.
public interface TensorFile extends AutoCloseable {
    /// The maximum number of tensors in a file.
    int MOST_TENSORS = 1_000_000;

    /// The maximum size of a file's description of its tensors, in bytes. The limit is that of the reference
    /// implementation of safetensors.
    int MOST_HEADER_BYTES = 100_000_000;

    /// The tensors in the order of their bytes; each name occurs once.
    List<NamedTensor> tensors();

    /// The metadata of the file, by name.
    SortedMap<String, String> metadata();

    /// What was left out because it is neither tensor nor metadata, one line each.
    List<String> notes();

    /// A part of a file that nests dictionaries.
    ///
    /// @param name first part of the names of its tensors, before a dot
    /// @param optimizer whether it is the state of an optimizer, as PyTorch's `state_dict` returns it
    record Part(String name, boolean optimizer) {}

    /// The outermost dictionaries that hold tensors, in order, if every tensor is in one of them. Empty if a
    /// tensor is outside of them, and in formats without nesting.
    default List<Part> parts() {
        return List.of();
    }

    /// Fills the target with the tensor's bytes, starting at this offset. If a tensor is read in order from its
    /// beginning, a format with checksums compares them at the end of the tensor. Reading compressed tensors in
    /// any other order is slow.
    void read(NamedTensor tensor, long offset, MemorySegment target) throws IOException;

    @Override
    void close() throws IOException;
}
