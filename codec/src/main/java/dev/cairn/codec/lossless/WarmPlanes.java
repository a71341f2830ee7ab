package dev.cairn.codec.lossless;

import dev.cairn.codec.TrialBlock;
import dev.cairn.codec.Twins;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorLoop.Trial;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/// Uses the vector code if it is hot, and its scalar twin otherwise.
final class WarmPlanes implements PlaneKernels {
    static final VectorLoop SPLIT = loop("split planes", PlaneTrial::split);
    static final VectorLoop JOIN = new VectorLoop("join planes", () -> VectorPlanes.isSupported());
    static final VectorLoop SPLIT_SCALED = loop("split scaled planes", PlaneTrial::splitScaled);
    static final VectorLoop JOIN_SCALED = new VectorLoop("join scaled planes", () -> VectorPlanes.isSupported());

    private final Twins<PlaneKernels> twins = new Twins<>(new ScalarPlanes(), () -> new VectorPlanes());

    private static VectorLoop loop(String name, BiConsumer<PlaneTrial, PlaneKernels> loop) {
        return new VectorLoop(name, () -> VectorPlanes.isSupported(), () -> {
            var block = new PlaneTrial();
            return Trial.of(new VectorPlanes(), new ScalarPlanes(), kernels -> loop.accept(block, kernels));
        });
    }

    @Override
    public void split(MemorySegment u, int count, byte[] planes, int stride) {
        twins.of(SPLIT, u.byteSize()).split(u, count, planes, stride);
    }

    @Override
    public void join(Planes planes, int count, MemorySegment r) {
        twins.of(JOIN, r.byteSize()).join(planes, count, r);
    }

    @Override
    public void splitScaled(MemorySegment u, MemorySegment r, int count, byte[] planes, int stride) {
        twins.of(SPLIT_SCALED, u.byteSize()).splitScaled(u, r, count, planes, stride);
    }

    @Override
    public void joinScaled(Planes planes, int count, MemorySegment r) {
        twins.of(JOIN_SCALED, r.byteSize()).joinScaled(planes, count, r);
    }

    private static final class PlaneTrial {
        private static final int STRIDE = TrialBlock.ELEMENTS + 16;

        private final TrialBlock values = TrialBlock.ofWeights();
        private final byte[] planes = new byte[Float.BYTES * STRIDE];

        void split(PlaneKernels kernels) {
            kernels.split(values.live(), TrialBlock.ELEMENTS, planes, STRIDE);
        }

        void splitScaled(PlaneKernels kernels) {
            kernels.splitScaled(values.live(), values.reference(), TrialBlock.ELEMENTS, planes, STRIDE);
        }
    }
}
