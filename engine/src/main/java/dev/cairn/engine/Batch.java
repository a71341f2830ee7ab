package dev.cairn.engine;

import java.lang.foreign.MemorySegment;

/// Examples in native memory. The caller reuses the memory for the next batch, so a learner must copy what it
/// keeps.
public sealed interface Batch {
    /// The number of examples.
    int size();

    /// Images for a [Model.Network].
    ///
    /// @param images memory for `capacity` images of float32 pixels; the first `size` images are the batch
    /// @param labels the classes of the images, int64
    record Labelled(MemorySegment images, MemorySegment labels, int capacity, int size) implements Batch {}

    /// Ratings for a [Model.Factorization].
    ///
    /// @param users the index of the user of each rating, int64
    /// @param items the index of the item of each rating, int64
    /// @param ratings the ratings, float32
    record Rated(MemorySegment users, MemorySegment items, MemorySegment ratings, int size) implements Batch {}
}
