package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;

/// The inner loops of [DifferenceCodec]. Two implementations, bit for bit the same: [ScalarDifferences], which is the
/// oracle, and `VectorDifferences`. Segments hold at least `count` float32, without alignment, little-endian; arrays of
/// symbols have room for 16 more.
interface DifferenceKernels {
    /// Splits the differences `u − r` into symbols and bits, which are empty before, and makes `r` the same as `u`.
    void split(MemorySegment u, MemorySegment r, int count, int floor, byte[] symbols, LaneBits bits);

    /// Makes `u` of `r`.
    ///
    /// @return false where symbols and bits do not fit each other: then `r` is not to be used
    boolean join(byte[] symbols, LaneBits bits, int count, int floor, MemorySegment r);
}
