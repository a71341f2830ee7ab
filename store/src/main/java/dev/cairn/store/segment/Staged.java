package dev.cairn.store.segment;

import java.util.List;

/// A segment that one writer has stored durably for a checkpoint that is not committed yet. It is not part of the run
/// until a commit names it. If another record takes its number, it is a leftover.
///
/// @param number the log number in its name: the next number at the time of writing
/// @param segment the only file
/// @param tensors the tensors in it, each in segment 0
public record Staged(long number, SegmentRef segment, List<TensorRef> tensors) {
    public Staged {
        tensors = List.copyOf(tensors);
    }

    /// The digest of the values that a reader gets from the segment.
    public String digest() {
        return segment.digest();
    }
}
