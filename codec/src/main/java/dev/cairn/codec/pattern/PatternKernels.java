package dev.cairn.codec.pattern;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The inner loops over float32 blocks. Two implementations give the same bits: [ScalarPatterns], which is the oracle,
/// and `VectorPatterns`.
interface PatternKernels {
    ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Sets some deltas, starting at index `at`, to `u − r`.
    ///
    /// @param element the first element in both segments
    /// @return whether no value of `r` is subnormal
    boolean subtract(MemorySegment u, MemorySegment r, int element, int count, float[] deltas, int at);

    /// Sets `dots[16 * row + k]` to the product of a row of deltas with pattern k, summed with fused multiply-add in
    /// the order of the columns.
    ///
    /// @param deltas rows one after the other
    /// @param lanes the patterns column by column, sixteen places each
    void project(float[] deltas, int rows, int columns, float[] lanes, float[] dots);

    /// Adds, to each element of some whole rows, the sum of amount times number, times the scale. The sum is a whole
    /// number below 2²⁴. The product is rounded before it is added.
    ///
    /// @param element the first element in the segment
    /// @param amounts the amounts of all patterns, row by row, starting at index `at`
    void add(MemorySegment r, int element, int rows, Patterns patterns, float[] amounts, int at, float scale);
}
