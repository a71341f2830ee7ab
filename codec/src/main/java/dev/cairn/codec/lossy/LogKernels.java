package dev.cairn.codec.lossy;

import dev.cairn.codec.VectorModule;
import java.lang.foreign.MemorySegment;

/// What a reader of logarithmic steps does; see [SecondMomentQuantizer]. Two implementations, bit for bit the same:
/// [ScalarLogSteps], which is the oracle, and `VectorLogSteps`.
interface LogKernels {
    /// The fastest that this machine has.
    static LogKernels fastest() {
        return VectorModule.isPresent() && VectorLogSteps.isSupported() ? new VectorLogSteps() : new ScalarLogSteps();
    }

    /// Moves `r` as the writer did. Returns how many jumped; −1 where a value would leave its range or there are fewer
    /// jumps than needed, which no writer makes: then `r` is not to be used.
    ///
    /// @param jumps the exponents of elements that jump; 16 more bytes may be read
    int apply(QuantizedBlock block, MemorySegment r, int shift, byte[] jumps, int jumpCount);
}
