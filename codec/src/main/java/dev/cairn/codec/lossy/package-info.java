/// Lossy deltas: the difference between live values `u` and the reader's reconstruction `r`, quantized to small ids.
///
/// ```
/// u, r ──quantize──▶ QuantizedBlock ──apply──▶ r (now what a reader will hold) ──entropy──▶ bytes
/// ```
/// Three quantizers produce a [QuantizedBlock]: [TableQuantizer] (a dead zone and equal steps: the default),
/// [ExponentQuantizer] (LC-Checkpoint: one bucket for each sign and exponent, the largest kept) and [LogKernels] (equal
/// steps of the logarithm, for values that are never negative). Id 0 means that the bits of the reference do not
/// change.
///
/// Two more are baselines for studies: [LeastSquaresQuantizer] (the values with the least squared error) and
/// [PrunedQuantizer] (ExCP: selected elements, by k-means centres).
///
/// A reader computes `r + value[id]`, one addition with one rounding, with values from a table. The result is the same
/// on every machine, with or without vector instructions. Values that could give different results (values that are not
/// finite, and subnormal numbers, which some threads flush to zero) are rejected here, and the caller stores them
/// exactly.
@NullMarked
package dev.cairn.codec.lossy;

import org.jspecify.annotations.NullMarked;
