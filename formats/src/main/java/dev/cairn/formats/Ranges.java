package dev.cairn.formats;

import java.lang.foreign.MemorySegment;

/// Ranges of tensors.
final class Ranges {
    private Ranges() {}

    /// Refuses a range that is not within its tensor.
    static void check(NamedTensor tensor, long offset, MemorySegment target) {
        if (offset < 0 || offset > tensor.sizeBytes() - target.byteSize()) {
            throw new IllegalArgumentException("range outside its tensor: offset=%d bytes=%d tensor=%s"
                    .formatted(offset, target.byteSize(), tensor));
        }
    }
}
