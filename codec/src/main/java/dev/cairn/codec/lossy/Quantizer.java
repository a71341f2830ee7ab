package dev.cairn.codec.lossy;

import dev.cairn.codec.Frame;
import java.lang.foreign.MemorySegment;

/// Makes a [QuantizedBlock] of live values and their reference. Not thread-safe: its buffers are reused.
public sealed interface Quantizer permits TableQuantizer, LogQuantizer, LeastSquaresQuantizer, PrunedQuantizer {
    /// How a reader uses the ids.
    enum Kind {
        /// Each value is an entry of a table.
        TABLE,
        /// Each value is so many equal steps of the logarithm.
        LOG_STEPS,
        /// A table, with zeros as the reference.
        TABLE_ALONE
    }

    /// How its ids are to be read.
    Kind kind();

    /// Says where in its tensor the next block begins; for quantizers that treat some places differently.
    default void startAt(long element) {}

    /// Quantizes a block and moves `r` to what a reader will hold; false where the block must be stored exactly,
    /// and then `r` is not to be used.
    boolean quantize(MemorySegment u, MemorySegment r);

    /// The block quantized last.
    QuantizedBlock block();

    /// Appends the block quantized last.
    void write(Frame frame);

    /// The sum of the squared deltas of the block quantized last.
    double deltaSquares();

    /// The sum of the squared errors that it left.
    double errorSquares();
}
