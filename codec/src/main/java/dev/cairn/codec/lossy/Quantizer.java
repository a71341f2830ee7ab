package dev.cairn.codec.lossy;

import dev.cairn.codec.Frame;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import java.lang.foreign.MemorySegment;

/// Makes a [QuantizedBlock] from live values and their reference. Not thread-safe: its buffers are reused.
public sealed interface Quantizer
        permits TableQuantizer, PatternedQuantizer, LogQuantizer, LeastSquaresQuantizer, PrunedQuantizer {
    /// How a reader uses the ids.
    enum Kind {
        /// An id selects an entry of a table.
        TABLE,
        /// An id is a number of equal steps of the logarithm.
        LOG_STEPS,
        /// A table, with zeros as the reference.
        TABLE_ALONE,
        /// An id selects an entry of a table, after patterns were added to the reference.
        PATTERNS
    }

    /// How a reader uses the ids of this quantizer.
    Kind kind();

    /// Sets the position of the next block in its tensor, for quantizers that treat some positions differently.
    default void startAt(long element) {}

    /// Quantizes a block, and sets `r` to the values that a reader will hold. Returns false if the block must be stored
    /// exactly; `r` is then undefined.
    boolean quantize(MemorySegment u, MemorySegment r);

    /// The block quantized last.
    QuantizedBlock block();

    /// Appends the block quantized last.
    void write(Frame frame);

    /// The sum of the squared deltas of the block quantized last.
    double deltaSquares();

    /// The sum of the squared errors of the block quantized last.
    double errorSquares();
}
