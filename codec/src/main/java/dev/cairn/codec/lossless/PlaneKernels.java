package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;

/// float32 as four planes of bytes, and back: the inner loops of [PlaneCodec] for what a base is made of. Two
/// implementations, bit for bit the same: [ScalarPlanes], which is the oracle, and `VectorPlanes`.
///
/// The bits of a number are turned left by one; plane `p` has their byte number `p`, lowest first, from index
/// `p * stride` on. Segments hold at least `count` elements, without alignment, little-endian.
interface PlaneKernels {
    void split(MemorySegment u, int count, byte[] planes, int stride);

    void join(byte[] planes, int stride, int count, MemorySegment r);

    /// The planes of what `u` is against `r`, as [ScaleCodec] has it.
    void splitScaled(MemorySegment u, MemorySegment r, int count, byte[] planes, int stride);

    /// Turns `r` into what was split.
    void joinScaled(byte[] planes, int stride, int count, MemorySegment r);
}
