package dev.cairn.codec.lossless;

import dev.cairn.codec.TrialBlock;
import dev.cairn.codec.Twins;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorLoop.Trial;
import java.lang.foreign.MemorySegment;

/// Uses the vector code if it is hot, and its scalar twin otherwise.
final class WarmDifferences implements DifferenceKernels {
    static final VectorLoop SPLIT = new VectorLoop("split differences", () -> VectorDifferences.isSupported(), () -> {
        var block = new DifferenceTrial();
        return Trial.of(new VectorDifferences(), new ScalarDifferences(), block::split);
    });
    static final VectorLoop JOIN = new VectorLoop("join differences", () -> VectorDifferences.isSupported());

    private final Twins<DifferenceKernels> twins = new Twins<>(new ScalarDifferences(), () -> new VectorDifferences());

    @Override
    public void split(MemorySegment u, MemorySegment r, int count, int floor, byte[] symbols, LaneBits bits) {
        twins.of(SPLIT, u.byteSize()).split(u, r, count, floor, symbols, bits);
    }

    @Override
    public boolean join(byte[] symbols, LaneBits bits, int count, int floor, MemorySegment r) {
        return twins.of(JOIN, r.byteSize()).join(symbols, bits, count, floor, r);
    }

    private static final class DifferenceTrial {
        private static final int FLOOR = 96;

        private final TrialBlock values = TrialBlock.ofWeights();
        private final byte[] symbols = new byte[TrialBlock.ELEMENTS + LaneBits.LANES];
        private final LaneBits bits = new LaneBits(TrialBlock.ELEMENTS);

        void split(DifferenceKernels kernels) {
            bits.clear();
            kernels.split(values.live(), values.reference(), TrialBlock.ELEMENTS, FLOOR, symbols, bits);
        }
    }
}
