package dev.cairn.engine;

import java.lang.foreign.MemorySegment;

/// One batch in native memory, which the caller reuses for the next: a learner copies what it wants to keep.
///
/// @param images `size` × channels × height × width float32 values
/// @param labels `size` int64 values
public record Batch(MemorySegment images, MemorySegment labels, int size) {}
