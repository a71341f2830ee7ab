package dev.cairn.codec.lossy.kernel;

import java.lang.foreign.MemorySegment;

/// Quantizes values that are never negative, such as Adam's second moment, in steps of their logarithm. Two
/// implementations give the same bits: [ScalarLogSteps], which is the oracle, and `VectorLogSteps`. Not thread-safe.
///
/// The bits of a non-negative float, read as an integer, grow with its logarithm (base 2, times 2²³, within 9 % of a
/// doubling). So the delta is taken between bit patterns, and the reference moves by whole multiples of `2^shift`. This
/// is integer arithmetic, exact on every thread. The result is never negative, and the relative error is bounded for
/// any magnitude.
///
/// The reference moves up from half a step, because a second moment that is too small makes training steps that are too
/// large. It moves down only from nine tenths of a step, because plain rounding would go back and forth. An element
/// that would have to move by more than seven steps, or out of the normal numbers, gets id [#JUMP] and is set to the
/// next power of two.
public interface LogKernels {
    /// The id of an element that is set to a power of two.
    int JUMP = 8;

    int SMALLEST_NORMAL = 0x0080_0000;
    int INFINITY = 0x7f80_0000;
    int LARGEST_EXPONENT = 254;

    /// Fills `block` and moves `r`. The exponents of elements that jump go to `jumps`.
    ///
    /// @param shift the step is `2^shift` in the bit pattern: 23 is a doubling
    /// @param jumps up to 16 more bytes may be written
    /// @return the number of jumps, or −1 if a value is negative or not finite; `r` is then undefined
    int quantize(MemorySegment u, MemorySegment r, int count, int shift, QuantizedBlock block, byte[] jumps);

    /// Moves `r` as the writer did. Returns the number of jumps, or −1 if a value would leave its range or if there are
    /// fewer jumps than needed. No writer produces either; `r` is then undefined.
    ///
    /// @param jumps the exponents of elements that jump; up to 16 more bytes may be read
    int apply(QuantizedBlock block, MemorySegment r, int shift, byte[] jumps, int jumpCount);
}
