package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;

/// The inner loops of [DifferenceCodec]. Two implementations give the same bits: [ScalarDifferences], which is the
/// oracle, and `VectorDifferences`. Segments hold at least `count` float32, unaligned and little-endian. Arrays of
/// symbols have room for 16 more.
interface DifferenceKernels {
    /// Splits the differences `u − r` into symbols and bits, and makes `r` equal to `u`. `bits` must be empty before.
    void split(MemorySegment u, MemorySegment r, int count, int floor, byte[] symbols, LaneBits bits);

    /// Turns `r` into `u`.
    ///
    /// @return false if symbols and bits do not match; `r` is then undefined
    boolean join(byte[] symbols, LaneBits bits, int count, int floor, MemorySegment r);
}
