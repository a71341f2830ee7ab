package dev.cairn.codec.lossy.kernel;

import dev.cairn.codec.VectorModule;
import java.lang.foreign.MemorySegment;

/// The inner loops over float32 blocks. Two implementations give the same bits: [ScalarKernels], which is the oracle,
/// and `VectorKernels`. Counts are numbers of elements. Segments hold at least that many, unaligned and little-endian.
public interface Kernels {
    /// The number of lanes of the widest vector. Both implementations keep partial sums per lane, so that they agree.
    int LANES = 16;

    /// Returns the fastest kernels on this machine, compiled or not. For real work use [WarmKernels]. Not thread-safe:
    /// use one per thread.
    static Kernels fastest() {
        return VectorModule.isPresent() && VectorKernels.isSupported() ? new VectorKernels() : new ScalarKernels();
    }

    /// Fills the mask and ids of `block` with the uniform quantization of `u − r`, and changes `r` as a reader will.
    /// The block must already have the values. An id is the magnitude, 1 to 7, plus 8 if negative. If the squared
    /// deltas are finite, no value overflows and none becomes subnormal; see [Floats#SMALLEST_VALUE].
    ///
    /// @param deltaSquares [#LANES] partial sums, to which squared deltas are added; not finite if a delta is not
    /// @param errorSquares the same for the squared errors
    /// @return false if a value that changes is subnormal; `r` is then undefined
    boolean quantizeUniform(
            MemorySegment u,
            MemorySegment r,
            int count,
            UniformSetting setting,
            QuantizedBlock block,
            float[] deltaSquares,
            float[] errorSquares);

    /// Adds `values[id]` to each element of the reference whose id is not 0. For readers.
    void apply(QuantizedBlock block, MemorySegment r);

    /// The same for the writer.
    ///
    /// @return false if a changed value is, or becomes, subnormal or not finite; `r` is then undefined
    boolean applyAndCheck(QuantizedBlock block, MemorySegment r);
}
