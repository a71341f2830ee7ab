package dev.cairn.codec.lossy.kernel;

import dev.cairn.codec.TrialBlock;
import dev.cairn.codec.Twins;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorLoop.Trial;
import java.lang.foreign.MemorySegment;

/// Uses the vector code if it is hot, and its scalar twin otherwise.
public final class WarmLogSteps implements LogKernels {
    public static final VectorLoop QUANTIZE = new VectorLoop("logarithms", () -> VectorLogSteps.isSupported(), () -> {
        var block = new LogTrial();
        return Trial.of(new VectorLogSteps(), new ScalarLogSteps(), block::quantize);
    });
    static final VectorLoop APPLY = new VectorLoop("apply logarithms", () -> VectorLogSteps.isSupported());

    private final Twins<LogKernels> twins = new Twins<>(new ScalarLogSteps(), () -> new VectorLogSteps());

    @Override
    public int quantize(MemorySegment u, MemorySegment r, int count, int shift, QuantizedBlock block, byte[] jumps) {
        return twins.of(QUANTIZE, r.byteSize()).quantize(u, r, count, shift, block, jumps);
    }

    @Override
    public int apply(QuantizedBlock block, MemorySegment r, int shift, byte[] jumps, int jumpCount) {
        return twins.of(APPLY, r.byteSize()).apply(block, r, shift, jumps, jumpCount);
    }

    private static final class LogTrial {
        private static final int SHIFT = 23;

        private final TrialBlock values = TrialBlock.ofMoments();
        private final QuantizedBlock block = new QuantizedBlock();
        private final byte[] jumps = new byte[TrialBlock.ELEMENTS + 16];

        void quantize(LogKernels kernels) {
            kernels.quantize(values.live(), values.reference(), TrialBlock.ELEMENTS, SHIFT, block, jumps);
        }
    }
}
