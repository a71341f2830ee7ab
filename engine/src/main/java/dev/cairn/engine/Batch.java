package dev.cairn.engine;

import java.lang.foreign.MemorySegment;

/// One batch in native memory, which the caller reuses for the next: a learner copies what it wants to keep.
///
/// @param images room for `capacity` images of float32 pixels, of which the first `size` are the batch
/// @param labels their classes, int64
public record Batch(MemorySegment images, MemorySegment labels, int capacity, int size) {}
