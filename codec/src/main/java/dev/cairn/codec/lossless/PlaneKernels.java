package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;

/// Splits float32 into four planes of bytes, and joins them: the inner loops of [PlaneCodec] for the bulk of a base.
/// Two implementations give the same bits: [ScalarPlanes], which is the oracle, and `VectorPlanes`.
///
/// The bits of a number are rotated left by one. Plane `p` holds byte `p` of each number, the lowest first. Planes are
/// split into one array, where plane `p` starts at index `p * stride`. Segments hold at least `count` elements,
/// unaligned and little-endian.
interface PlaneKernels {
    void split(MemorySegment u, int count, byte[] planes, int stride);

    void join(Planes planes, int count, MemorySegment r);

    /// Splits `u` against `r`, as [ScaleCodec] describes it, into planes.
    void splitScaled(MemorySegment u, MemorySegment r, int count, byte[] planes, int stride);

    /// Turns `r` into the values that [#splitScaled] split.
    void joinScaled(Planes planes, int count, MemorySegment r);
}
