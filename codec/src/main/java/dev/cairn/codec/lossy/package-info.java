/// Lossy deltas: a block of live values `u` against the reader's reconstruction `r`, quantized to small ids.
///
/// ```
/// u, r ──quantize──▶ QuantizedBlock ──apply──▶ r (now what a reader will hold) ──entropy──▶ bytes
/// ```
/// Three quantizers share the seam: [TableQuantizer] (a dead zone and equal steps: the default), [ExponentQuantizer]
/// (LC-Checkpoint: one bucket for each sign and exponent, the largest kept) and [LogKernels] (equal steps of
/// the logarithm, for values that are never negative). Id 0 means: leave the reference's bits alone.
///
/// Two more are yardsticks that studies compare with: [LeastSquaresQuantizer] (the values of least squared error) and
/// [PrunedQuantizer] (ExCP: selected elements by k-means centres).
///
/// What a reader computes is `r + value[id]`, one addition with one rounding, with values taken from a table: the
/// same on every machine, with or without vector instructions. What could differ (values that are not finite,
/// subnormal numbers, which some threads flush to zero) is refused here and stored exactly by the caller.
@NullMarked
package dev.cairn.codec.lossy;

import org.jspecify.annotations.NullMarked;
