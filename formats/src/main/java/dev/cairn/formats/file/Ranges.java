package dev.cairn.formats.file;

import java.lang.foreign.MemorySegment;

/// Checks of ranges within tensors.
public final class Ranges {
    private Ranges() {}

    /// Refuses a range that is not within its tensor.
    public static void check(NamedTensor tensor, long offset, MemorySegment target) {
        if (offset < 0 || offset > tensor.sizeBytes() - target.byteSize()) {
            throw new IllegalArgumentException("range outside its tensor: offset=%d bytes=%d tensor=%s"
                    .formatted(offset, target.byteSize(), tensor));
        }
    }
}
