package dev.cairn.codec.lossy;

import dev.cairn.codec.VectorModule;
import java.lang.foreign.MemorySegment;

/// The inner loops over float32 blocks. Two implementations, bit for bit the same: [ScalarKernels], which is the
/// oracle, and `VectorKernels`. Counts are of elements; segments hold at least that many, without alignment,
/// little-endian.
interface Kernels {
    /// Lanes of the widest vector: partial sums are kept per lane in both implementations, so that they agree.
    int LANES = 16;

    /// The fastest that this machine has, compiled or not; [WarmKernels] are for work. Not thread-safe: one for each
    /// thread.
    static Kernels fastest() {
        return VectorModule.isPresent() && VectorKernels.isSupported() ? new VectorKernels() : new ScalarKernels();
    }

    /// Fills mask and ids of `block` with the uniform quantization of `u − r`, whose values the block has already, and
    /// moves `r` as a reader will. Id: magnitude 1 to 7, plus 8 where negative. Where the squared deltas are
    /// finite no value overflows, and none becomes subnormal; see [Floats#SMALLEST_VALUE].
    ///
    /// @param deltaSquares [#LANES] partial sums of squared deltas, added to; not finite where a delta is not
    /// @param errorSquares the same for what the values leave of the deltas
    /// @return false where a value that changes is subnormal: then `r` is not to be used
    boolean quantizeUniform(
            MemorySegment u,
            MemorySegment r,
            int count,
            UniformSetting setting,
            QuantizedBlock block,
            float[] deltaSquares,
            float[] errorSquares);

    /// Adds `values[id]` to the reference where the id is not 0. For readers.
    void apply(QuantizedBlock block, MemorySegment r);

    /// The same for the writer.
    ///
    /// @return false where a changed value is, or becomes, subnormal or not finite: then `r` is not to be used
    boolean applyAndCheck(QuantizedBlock block, MemorySegment r);
}
