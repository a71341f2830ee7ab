package dev.cairn.codec.lossy;

import dev.cairn.codec.Frame;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.kernel.LogKernels;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import dev.cairn.codec.lossy.kernel.WarmLogSteps;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Quantizes values that are never negative, in steps of their logarithm; see [LogKernels]. float32 only.
///
/// ```
/// payload := shift:u8 jumpCount:u32 exponents:symbols streams
/// ```
public final class LogQuantizer implements Quantizer {
    private final int shift;
    private final LogKernels kernels = new WarmLogSteps();
    private final QuantizedBlock block = new QuantizedBlock();
    private final IdStreams streams;
    private final SymbolCoder jumpCoder;
    private final byte[] jumps = new byte[QuantizedBlock.MOST_ELEMENTS + 16];
    private int jumpCount;

    /// Creates a quantizer for blocks that carry their own code tables.
    ///
    /// @param shift the step is `2^(shift − 23)` doublings: 23 for one
    public LogQuantizer(int shift) {
        this(shift, null);
    }

    /// Creates a quantizer with its own buffers, for one thread.
    ///
    /// @param shift the step is `2^(shift − 23)` doublings: 23 for one
    /// @param tables the set to add code tables to; null if blocks carry their own
    public LogQuantizer(int shift, @Nullable TableSet tables) {
        if (shift < 1 || shift > 27) {
            throw new IllegalArgumentException("step out of range: shift=" + shift);
        }
        this.shift = shift;
        this.streams = new IdStreams(tables);
        this.jumpCoder = new SymbolCoder(tables);
    }

    /// The loops in which encoding spends its time.
    public static List<VectorLoop> encodingLoops() {
        return List.of(WarmLogSteps.QUANTIZE);
    }

    @Override
    public Kind kind() {
        return Kind.LOG_STEPS;
    }

    @Override
    public boolean quantize(MemorySegment u, MemorySegment r) {
        int count = (int) (u.byteSize() / Float.BYTES);
        jumpCount = kernels.quantize(u, r, count, shift, block, jumps);
        return jumpCount >= 0;
    }

    @Override
    public QuantizedBlock block() {
        return block;
    }

    @Override
    public void write(Frame frame) {
        frame.putByte(shift);
        frame.putInt(jumpCount);
        jumpCoder.encode(jumps, jumpCount, frame);
        streams.write(block, false, frame);
    }

    /// Always 0, because it is not measured: the error is bounded by a step of each value, not by the delta.
    @Override
    public double deltaSquares() {
        return 0;
    }

    @Override
    public double errorSquares() {
        return 0;
    }
}
