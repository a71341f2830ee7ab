package dev.cairn.codec.lossy;

import static dev.cairn.codec.lossy.kernel.Floats.F32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.VectorModule;
import dev.cairn.codec.lossy.kernel.Floats;
import dev.cairn.codec.lossy.kernel.Kernels;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import dev.cairn.codec.lossy.kernel.ScalarKernels;
import dev.cairn.codec.lossy.kernel.UniformSetting;
import dev.cairn.codec.lossy.kernel.VectorKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The vector loops give the same bits as the scalar loops, on ordinary values and on extreme ones.
class KernelsTest {
    private static final int[] COUNTS = {1, 15, 16, 63, 64, 65, 127, 128, 1000, 4096, 65_535, 65_536};
    private static final float[] STRANGE = {
        0f,
        -0f,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        Float.MIN_NORMAL,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.NaN,
        1e-38f,
        3e38f
    };

    private final Arena arena = Arena.ofAuto();
    private final UniformSetting setting = UniformSetting.ofStep(0.0017f);

    @Test
    void vectorEqualsScalar() {
        assumeTrue(
                VectorModule.isPresent() && VectorKernels.isSupported(),
                "no vectors of 16 floats here: nothing to compare");
        for (int seed = 0; seed < 60; seed++) {
            var random = new Random(seed);
            int count = COUNTS[seed % COUNTS.length];
            MemorySegment r = arena.allocate(4L * count);
            MemorySegment u = arena.allocate(4L * count);
            boolean strange = seed >= 30;
            for (int i = 0; i < count; i++) {
                float value = (float) random.nextGaussian() * 0.03f;
                r.set(F32, 4L * i, strange && random.nextInt(50) == 0 ? any(random) : value);
                u.set(
                        F32,
                        4L * i,
                        strange && random.nextInt(50) == 0
                                ? any(random)
                                : value + (float) random.nextGaussian() * 0.002f);
            }
            assertSame(new ScalarKernels(), new VectorKernels(), u, r, count, "seed " + seed);
        }
    }

    private void assertSame(Kernels one, Kernels other, MemorySegment u, MemorySegment r, int count, String seed) {
        float[] deltas1 = new float[16];
        float[] deltas2 = new float[16];
        var block1 = new QuantizedBlock();
        var block2 = new QuantizedBlock();
        setting.fill(block1.values);
        setting.fill(block2.values);
        float[] errors1 = new float[16];
        float[] errors2 = new float[16];
        MemorySegment moved1 = copy(r);
        MemorySegment moved2 = copy(r);
        boolean movedSoundly1 = one.quantizeUniform(u, moved1, count, setting, block1, deltas1, errors1);
        boolean movedSoundly2 = other.quantizeUniform(u, moved2, count, setting, block2, deltas2, errors2);
        assertThat(errors2).as(seed).isEqualTo(errors1);
        assertThat(block2.idCount).as(seed).isEqualTo(block1.idCount);
        assertThat(Arrays.copyOf(block2.mask, block2.maskBytes()))
                .as(seed)
                .isEqualTo(Arrays.copyOf(block1.mask, block1.maskBytes()));
        assertThat(Arrays.copyOf(block2.ids, block2.idCount))
                .as(seed)
                .isEqualTo(Arrays.copyOf(block1.ids, block1.idCount));
        assertThat(deltas2).as(seed).isEqualTo(deltas1);
        assertThat(block1.isConsistent(16)).as(seed).isTrue();

        MemorySegment read1 = copy(r);
        MemorySegment read2 = copy(r);
        one.apply(block1, read1);
        other.apply(block2, read2);
        assertThat(read2.mismatch(read1)).as(seed).isEqualTo(-1);

        MemorySegment written1 = copy(r);
        MemorySegment written2 = copy(r);
        boolean sound1 = one.applyAndCheck(block1, written1);
        boolean sound2 = other.applyAndCheck(block2, written2);
        assertThat(sound2).as(seed).isEqualTo(sound1);
        if (Double.isFinite(Floats.sum(deltas1))) {
            assertThat(movedSoundly1).as(seed).isEqualTo(sound1);
            assertThat(movedSoundly2).as(seed).isEqualTo(sound1);
        }
        if (sound1) {
            assertThat(moved1.mismatch(read1))
                    .as("%s: moved as a reader will", seed)
                    .isEqualTo(-1);
            assertThat(moved2.mismatch(read1))
                    .as("%s: moved as a reader will", seed)
                    .isEqualTo(-1);
            assertThat(written1.mismatch(read1))
                    .as("%s: writer and reader agree", seed)
                    .isEqualTo(-1);
            assertThat(written2.mismatch(read1))
                    .as("%s: writer and reader agree", seed)
                    .isEqualTo(-1);
        }
    }

    @Test
    void tablesOfAnySizeAreApplied() {
        var random = new Random(8);
        int count = 5000;
        MemorySegment r = arena.allocate(4L * count);
        MemorySegment u = arena.allocate(4L * count);
        for (int i = 0; i < count; i++) {
            u.set(F32, 4L * i, (float) (random.nextGaussian() * Math.scalb(1.0, -random.nextInt(60))));
        }
        for (int bits = 1; bits <= 8; bits++) {
            var block = new QuantizedBlock();
            new ExponentQuantizer().quantize(u, r, count, bits, block);
            MemorySegment scalar = copy(r);
            MemorySegment fastest = copy(r);
            new ScalarKernels().apply(block, scalar);
            Kernels.fastest().apply(block, fastest);
            assertThat(fastest.mismatch(scalar)).as("bits %d", bits).isEqualTo(-1);
            assertThat(block.largestId).as("bits %d", bits).isBetween(1, (1 << bits) - 1);
        }
    }

    @Test
    void idZeroLeavesTheBitsAlone() {
        for (Kernels kernels : new Kernels[] {new ScalarKernels(), Kernels.fastest()}) {
            MemorySegment r = arena.allocate(4L * 128);
            MemorySegment u = arena.allocate(4L * 128);
            for (int i = 0; i < 128; i++) {
                r.set(F32, 4L * i, STRANGE[i % 6]);
                u.set(F32, 4L * i, STRANGE[i % 6]);
            }
            var block = new QuantizedBlock();
            kernels.quantizeUniform(u, r, 128, setting, block, new float[16], new float[16]);
            assertThat(block.idCount()).isZero();
            kernels.apply(block, r);
            assertThat(r.mismatch(u)).isEqualTo(-1);
        }
    }

    @Test
    void whatIsRefusedIsRefusedForAReason() {
        for (Kernels kernels : new Kernels[] {new ScalarKernels(), Kernels.fastest()}) {
            assertThat(sound(kernels, 0.5f, 0.51f)).isTrue();
            assertThat(sound(kernels, 0f, 0.01f)).isTrue();
            assertThat(sound(kernels, Float.MIN_VALUE, 0.01f))
                    .as("a subnormal reference")
                    .isFalse();
        }
    }

    private boolean sound(Kernels kernels, float reference, float wanted) {
        MemorySegment r = arena.allocate(4L * 64);
        MemorySegment u = arena.allocate(4L * 64);
        r.set(F32, 40, reference);
        u.set(F32, 40, wanted);
        var block = new QuantizedBlock();
        setting.fill(block.values);
        MemorySegment before = copy(r);
        boolean sound = kernels.quantizeUniform(u, r, 64, setting, block, new float[16], new float[16]);
        assertThat(block.idCount()).isEqualTo(1);
        assertThat(kernels.applyAndCheck(block, before)).isEqualTo(sound);
        return sound;
    }

    private static float any(Random random) {
        return random.nextBoolean() ? STRANGE[random.nextInt(STRANGE.length)] : Float.intBitsToFloat(random.nextInt());
    }

    private MemorySegment copy(MemorySegment segment) {
        return arena.allocate(segment.byteSize()).copyFrom(segment);
    }
}
