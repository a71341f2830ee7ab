package dev.cairn.codec.lossy.kernel;

import dev.cairn.codec.TrialBlock;
import dev.cairn.codec.Twins;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorLoop.Trial;
import java.lang.foreign.MemorySegment;

/// Uses the vector code if it is hot, and its scalar twin otherwise. Not thread-safe.
public final class WarmKernels implements Kernels {
    public static final VectorLoop QUANTIZE = new VectorLoop("quantize", () -> VectorKernels.isSupported(), () -> {
        var block = new UniformTrial();
        return Trial.of(new VectorKernels(), new ScalarKernels(), block::quantize);
    });
    static final VectorLoop APPLY = new VectorLoop("apply", () -> VectorKernels.isSupported());
    static final VectorLoop CHECK = new VectorLoop("apply and check", () -> VectorKernels.isSupported());

    private final Twins<Kernels> twins = new Twins<>(new ScalarKernels(), () -> new VectorKernels());

    @Override
    public boolean quantizeUniform(
            MemorySegment u,
            MemorySegment r,
            int count,
            UniformSetting setting,
            QuantizedBlock block,
            float[] deltaSquares,
            float[] errorSquares) {
        return twins.of(QUANTIZE, r.byteSize())
                .quantizeUniform(u, r, count, setting, block, deltaSquares, errorSquares);
    }

    @Override
    public void apply(QuantizedBlock block, MemorySegment r) {
        twins.of(APPLY, r.byteSize()).apply(block, r);
    }

    @Override
    public boolean applyAndCheck(QuantizedBlock block, MemorySegment r) {
        return twins.of(CHECK, r.byteSize()).applyAndCheck(block, r);
    }

    private static final class UniformTrial {
        private static final UniformSetting SETTING = UniformSetting.ofStep(TrialBlock.SPREAD);

        private final TrialBlock values = TrialBlock.ofWeights();
        private final QuantizedBlock block = new QuantizedBlock();
        private final float[] squares = new float[Kernels.LANES];
        private final float[] errors = new float[Kernels.LANES];

        UniformTrial() {
            SETTING.fill(block.values);
        }

        void quantize(Kernels kernels) {
            kernels.quantizeUniform(
                    values.live(), values.reference(), TrialBlock.ELEMENTS, SETTING, block, squares, errors);
        }
    }
}
