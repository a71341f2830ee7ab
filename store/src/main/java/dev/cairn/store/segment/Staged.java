package dev.cairn.store.segment;

import java.util.List;

/// What one writer has put on storage, durably, for a checkpoint that is not committed yet. It is no part of the run: a
/// commit names it, or once another record has its number it is a leftover, whoever wrote it.
///
/// @param number of the log, which its name carries: the next one when it was written
/// @param segment the only file
/// @param tensors what it holds, each in segment 0
public record Staged(long number, SegmentRef segment, List<TensorRef> tensors) {
    public Staged {
        tensors = List.copyOf(tensors);
    }

    /// The digest of the values that a reader gets from it.
    public String digest() {
        return segment.digest();
    }
}
