package dev.cairn.codec.lossy;

import java.lang.foreign.MemorySegment;

/// Values that are never negative, such as Adam's second moment, in steps of their logarithm. Two implementations, bit
/// for bit the same: [ScalarLogSteps], which is the oracle, and `VectorLogSteps`. Not thread-safe.
///
/// The bits of a non-negative float, read as an integer, grow with its logarithm (base 2, times 2²³, within 9 % of a
/// doubling). So the delta is taken between bit patterns and the reference moves by whole multiples of `2^shift`:
/// integer arithmetic, exact on every thread; never negative; the relative error is bounded whatever the magnitude.
///
/// Up, it moves from half a step on, because a second moment that is too small makes steps that are too large. Down,
/// only from nine tenths: plain rounding would go back and forth. An element that would have to move more than seven
/// steps, or out of the normal numbers, gets id [#JUMP] and is set to the next power of two.
interface LogKernels {
    /// The id of an element that is set to a power of two.
    int JUMP = 8;

    int SMALLEST_NORMAL = 0x0080_0000;
    int INFINITY = 0x7f80_0000;
    int LARGEST_EXPONENT = 254;

    /// Fills `block` and moves `r`; the exponents of those that jump go to `jumps`.
    ///
    /// @param shift the step is `2^shift` of bits: 23 is a doubling
    /// @param jumps 16 more bytes may be written
    /// @return how many jump, or −1 where a value is negative or not finite: then `r` is not to be used
    int quantize(MemorySegment u, MemorySegment r, int count, int shift, QuantizedBlock block, byte[] jumps);

    /// Moves `r` as the writer did. Returns how many jumped; −1 where a value would leave its range or there are fewer
    /// jumps than needed, which no writer makes: then `r` is not to be used.
    ///
    /// @param jumps the exponents of elements that jump; 16 more bytes may be read
    int apply(QuantizedBlock block, MemorySegment r, int shift, byte[] jumps, int jumpCount);
}
