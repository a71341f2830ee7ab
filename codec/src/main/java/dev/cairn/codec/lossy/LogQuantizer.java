package dev.cairn.codec.lossy;

import dev.cairn.codec.Frame;
import java.lang.foreign.MemorySegment;

/// Values that are never negative, in steps of their logarithm; see [SecondMomentQuantizer]. float32 only.
///
/// ```
/// payload := shift:u8 exactCount:u32 exact:u32* streams
/// ```
public final class LogQuantizer implements Quantizer {
    private final int shift;
    private final QuantizedBlock block = new QuantizedBlock();
    private final IdStreams streams = new IdStreams();
    private final int[] exact = new int[QuantizedBlock.MOST_ELEMENTS];
    private int exactCount;

    /// @param shift the step is `2^(shift − 23)` doublings: 22 for half of one
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
        exactCount = SecondMomentQuantizer.quantize(u, r, count, shift, block, exact);
        return exactCount >= 0;
    }

    @Override
    public QuantizedBlock block() {
        return block;
    }

    @Override
    public void write(Frame frame) {
        frame.putByte(shift);
        frame.putInt(exactCount);
        for (int i = 0; i < exactCount; i++) {
            frame.putInt(exact[i]);
        }
        streams.write(block, false, frame);
    }

    /// Not measured: the error is bounded by half a step of each value, not by the delta.
    @Override
    public double deltaSquares() {
        return 0;
    }

    @Override
    public double errorSquares() {
        return 0;
    }
}
