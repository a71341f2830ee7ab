package dev.cairn.engine;

import java.lang.foreign.MemorySegment;

/// Examples in native memory, which the caller reuses for the next: a learner copies what it wants to keep.
public sealed interface Batch {
    /// How many examples it has.
    int size();

    /// Images for a [Model.Network].
    ///
    /// @param images room for `capacity` images of float32 pixels, of which the first `size` are the batch
    /// @param labels their classes, int64
    record Labelled(MemorySegment images, MemorySegment labels, int capacity, int size) implements Batch {}

    /// Ratings for a [Model.Factorization].
    ///
    /// @param users int64
    /// @param items int64
    /// @param ratings float32
    record Rated(MemorySegment users, MemorySegment items, MemorySegment ratings, int size) implements Batch {}
}
