/// The inner loops of the lossy quantizers. Each has a scalar form, which is the oracle, and a vector form with the
/// same
/// bits: [Kernels] quantizes with a table and applies the result, [LogKernels] does both in steps of the logarithm.
/// [WarmKernels] and [WarmLogSteps] choose the form that is faster now. They fill and read a [QuantizedBlock].
@NullMarked
package dev.cairn.codec.lossy.kernel;

import org.jspecify.annotations.NullMarked;
