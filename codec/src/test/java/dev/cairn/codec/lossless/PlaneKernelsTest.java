package dev.cairn.codec.lossless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.VectorModule;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Planes of float32: the vector loops give the same bytes as the scalar loops, and both restore every bit.
class PlaneKernelsTest {
    private static final int[] COUNTS = {0, 1, 15, 16, 17, 63, 64, 1000, 65_535, 65_536};

    private final Arena arena = Arena.ofAuto();

    @Test
    void planesGiveEveryBitBack() {
        for (int seed = 0; seed < COUNTS.length; seed++) {
            assertGivesBack(new ScalarPlanes(), seed);
        }
    }

    @Test
    void vectorEqualsScalar() {
        assumeTrue(
                VectorModule.isPresent() && VectorPlanes.isSupported(),
                "no vectors of 16 words here: nothing to compare");
        for (int seed = 0; seed < 3 * COUNTS.length; seed++) {
            assertThat(assertGivesBack(new VectorPlanes(), seed))
                    .as("seed %d", seed)
                    .isEqualTo(assertGivesBack(new ScalarPlanes(), seed));
        }
    }

    private byte[] assertGivesBack(PlaneKernels kernels, int seed) {
        int count = COUNTS[seed % COUNTS.length];
        int stride = count + 16;
        byte[] bytes = new byte[4 * count];
        new Random(seed).nextBytes(bytes);
        MemorySegment u = arena.allocate(4L * count + 1).asSlice(1).copyFrom(MemorySegment.ofArray(bytes));
        byte[] planes = new byte[4 * stride];
        kernels.split(u, count, planes, stride);
        MemorySegment r = arena.allocate(4L * count);
        kernels.join(Planes.of(planes, stride), count, r);
        assertThat(r.toArray(ValueLayout.JAVA_BYTE)).as("seed %d", seed).isEqualTo(bytes);
        byte[] reference = new byte[4 * count];
        new Random(~seed).nextBytes(reference);
        r.copyFrom(MemorySegment.ofArray(reference));
        byte[] scaled = new byte[4 * stride];
        kernels.splitScaled(u, r, count, scaled, stride);
        kernels.joinScaled(Planes.of(scaled, stride), count, r);
        assertThat(r.toArray(ValueLayout.JAVA_BYTE)).as("seed %d", seed).isEqualTo(bytes);
        byte[] all = Arrays.copyOf(planes, planes.length + scaled.length);
        System.arraycopy(scaled, 0, all, planes.length, scaled.length);
        return all;
    }
}
