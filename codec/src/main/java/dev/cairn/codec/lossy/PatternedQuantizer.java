package dev.cairn.codec.lossy;

import dev.cairn.codec.Frame;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import dev.cairn.codec.pattern.AmountFinder;
import dev.cairn.codec.pattern.MatrixPatterns;
import dev.cairn.codec.pattern.PatternBlock;
import java.lang.foreign.MemorySegment;

/// Adds the patterns of a float32 matrix to the reference, and quantizes the rest. A block for which they are of no use
/// is quantized without them.
///
/// ```
/// payload := amounts table
/// ```
public final class PatternedQuantizer implements Quantizer {
    private final TableQuantizer rest;
    private final AmountFinder finder;
    private final PatternBlock amounts;
    private final MatrixPatterns target;
    private final double precision;
    private boolean patterned;
    private long start;

    /// Creates a quantizer for one tensor.
    ///
    /// @param rest quantizes what the patterns leave; tensors may share it
    /// @param finder buffers that tensors may share
    /// @param amounts buffers that tensors may share
    /// @param precision how much an amount of 1 changes a row: the step with which single elements are quantized
    public PatternedQuantizer(
            TableQuantizer rest, AmountFinder finder, PatternBlock amounts, MatrixPatterns target, double precision) {
        this.rest = rest;
        this.finder = finder;
        this.amounts = amounts;
        this.target = target;
        this.precision = precision;
    }

    @Override
    public Kind kind() {
        return patterned ? Kind.PATTERNS : Kind.TABLE;
    }

    @Override
    public void startAt(long element) {
        start = element;
    }

    @Override
    public boolean quantize(MemorySegment u, MemorySegment r) {
        patterned = finder.find(u, r, start, target, precision, amounts);
        if (patterned) {
            amounts.apply(r);
        }
        return rest.quantize(u, r);
    }

    @Override
    public QuantizedBlock block() {
        return rest.block();
    }

    @Override
    public void write(Frame frame) {
        if (patterned) {
            amounts.write(frame);
        }
        rest.write(frame);
    }

    @Override
    public double deltaSquares() {
        return rest.deltaSquares();
    }

    @Override
    public double errorSquares() {
        return rest.errorSquares();
    }
}
