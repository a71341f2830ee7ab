package dev.cairn.codec.lossy;

import dev.cairn.codec.Frame;
import dev.cairn.codec.huffman.SymbolCoder;
import java.lang.foreign.MemorySegment;

/// Values that are never negative, in steps of their logarithm; see [SecondMomentQuantizer]. float32 only.
///
/// ```
/// payload := shift:u8 jumpCount:u32 exponents:symbols streams
/// ```
public final class LogQuantizer implements Quantizer {
    private final int shift;
    private final SecondMomentQuantizer quantizer = new SecondMomentQuantizer();
    private final QuantizedBlock block = new QuantizedBlock();
    private final IdStreams streams = new IdStreams();
    private final SymbolCoder jumpCoder = new SymbolCoder();
    private final byte[] jumps = new byte[QuantizedBlock.MOST_ELEMENTS + 16];
    private int jumpCount;

    /// @param shift the step is `2^(shift − 23)` doublings: 23 for one
    public LogQuantizer(int shift) {
        if (shift < 1 || shift > 27) {
            throw new IllegalArgumentException("step out of range: shift=" + shift);
        }
        this.shift = shift;
    }

    @Override
    public Kind kind() {
        return Kind.LOG_STEPS;
    }

    @Override
    public boolean quantize(MemorySegment u, MemorySegment r) {
        int count = (int) (u.byteSize() / Float.BYTES);
        jumpCount = quantizer.quantize(u, r, count, shift, block, jumps);
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

    /// Not measured: the error is bounded by a step of each value, not by the delta.
    @Override
    public double deltaSquares() {
        return 0;
    }

    @Override
    public double errorSquares() {
        return 0;
    }
}
