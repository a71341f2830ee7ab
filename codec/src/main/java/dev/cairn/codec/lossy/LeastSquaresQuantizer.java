package dev.cairn.codec.lossy;

import static dev.cairn.codec.lossy.kernel.Floats.F32;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.lossy.kernel.Kernels;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import dev.cairn.codec.lossy.kernel.WarmKernels;
import java.lang.foreign.MemorySegment;

/// The baseline *l2*: for each block, the `2^x − 1` values (and zero) with the least squared error of the deltas; see
/// [LloydMax]. LC-Checkpoint keeps the same number of values with x bits. They are stored in the same way.
public final class LeastSquaresQuantizer implements Quantizer {
    /// The values that elements may get.
    public enum Range {
        /// Any value.
        ANY,
        /// An element that would become negative keeps its value. float32 only.
        NOT_NEGATIVE
    }

    private final int most;
    private final Range range;
    private final Deltas deltas;
    private final Kernels kernels = new WarmKernels();
    private final LloydMax solver = new LloydMax();
    private final NearestQuantizer nearest = new NearestQuantizer();
    private final QuantizedBlock block = new QuantizedBlock();
    private final IdStreams streams = new IdStreams(null);

    /// Creates a quantizer with its own buffers, for one thread.
    ///
    /// @param bits x, from 1 to 7
    public LeastSquaresQuantizer(ElementType type, int bits, Range range) {
        if (bits < 1 || bits > 7) {
            throw new IllegalArgumentException("the least-squares quantizer takes 1 to 7 bits, not " + bits);
        }
        if (range == Range.NOT_NEGATIVE && type != ElementType.FLOAT32) {
            throw new IllegalArgumentException(type.label() + " does not support a range without negative values");
        }
        this.most = (1 << bits) - 1;
        this.range = range;
        this.deltas = Deltas.of(type);
    }

    @Override
    public Kind kind() {
        return Kind.TABLE;
    }

    @Override
    public boolean quantize(MemorySegment u, MemorySegment r) {
        MemorySegment minuend = deltas.minuend(u, r);
        MemorySegment subtrahend = deltas.subtrahend(u, r);
        int count = (int) (minuend.byteSize() / Float.BYTES);
        float largest = 0;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, Math.abs(minuend.get(F32, 4L * i) - subtrahend.get(F32, 4L * i)));
        }
        if (!Float.isFinite(largest)) {
            return false;
        }
        solver.begin(largest);
        for (int i = 0; i < count; i++) {
            solver.add(minuend.get(F32, 4L * i) - subtrahend.get(F32, 4L * i));
        }
        var book = new Codebook(solver.solve(most, LloydMax.Zero.GIVEN), LloydMax.Zero.GIVEN);
        nearest.quantize(
                minuend,
                subtrahend,
                count,
                book,
                (_, reference, value) -> range == Range.ANY || reference + value >= 0,
                block);
        return Double.isFinite(nearest.deltaSquares()) && deltas.applyAndCheck(kernels, block, r);
    }

    @Override
    public QuantizedBlock block() {
        return block;
    }

    @Override
    public void write(Frame frame) {
        streams.writeTable(block, frame);
    }

    @Override
    public double deltaSquares() {
        return nearest.deltaSquares();
    }

    @Override
    public double errorSquares() {
        return nearest.errorSquares();
    }
}
