package dev.cairn.codec.lossy.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.VectorModule;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Steps of the logarithm: readers get the writer's bits, with vector loops and with scalar loops.
class LogKernelsTest {
    private static final int[] COUNTS = {1, 15, 63, 64, 65, 128, 1000, 4096, 65_535, 65_536};
    private static final int SHIFT = 23;

    private final QuantizedBlock block = new QuantizedBlock();
    private final byte[] jumps = new byte[QuantizedBlock.MOST_ELEMENTS + 16];
    private final Arena arena = Arena.ofAuto();

    @BeforeEach
    void needVectors() {
        assumeTrue(
                VectorModule.isPresent() && VectorLogSteps.isSupported(),
                "no vectors of 16 words here: nothing to compare");
    }

    @Test
    void readersGetTheWritersBits() {
        for (int seed = 0; seed < 120; seed++) {
            var random = new Random(seed);
            int count = COUNTS[seed % COUNTS.length];
            int shift = seed < 60 ? SHIFT : 1 + random.nextInt(27);
            double share = new double[] {0, 0.001, 0.1, 0.9}[seed % 4];
            MemorySegment r = arena.allocate(4L * count);
            MemorySegment u = arena.allocate(4L * count);
            for (int i = 0; i < count; i++) {
                float value = i % 10 == 3 ? 0 : (float) Math.exp(3 * random.nextGaussian() - 20);
                r.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
                boolean moves = random.nextDouble() < share;
                u.setAtIndex(
                        ValueLayout.JAVA_FLOAT, i, moves ? (float) Math.exp(9 * random.nextGaussian() - 20) : value);
            }
            MemorySegment written = arena.allocate(4L * count).copyFrom(r);
            int jumpCount = new ScalarLogSteps().quantize(u, written, count, shift, block, jumps);
            MemorySegment scalar = arena.allocate(4L * count).copyFrom(r);
            assertThat(new ScalarLogSteps().apply(block, scalar, shift, jumps, jumpCount))
                    .as("seed %d", seed)
                    .isEqualTo(jumpCount);
            assertThat(scalar.mismatch(written)).as("seed %d", seed).isEqualTo(-1);
            MemorySegment vector = arena.allocate(4L * count).copyFrom(r);
            assertThat(new VectorLogSteps().apply(block, vector, shift, jumps, jumpCount))
                    .as("seed %d", seed)
                    .isEqualTo(jumpCount);
            assertThat(vector.mismatch(written)).as("seed %d", seed).isEqualTo(-1);
        }
    }

    @Test
    void bothWriteTheSameBlocks() {
        var other = new QuantizedBlock();
        byte[] otherJumps = new byte[jumps.length];
        int refused = 0;
        for (int seed = 0; seed < 120; seed++) {
            var random = new Random(seed);
            int count = COUNTS[seed % COUNTS.length];
            int shift = seed % 3 == 0 ? SHIFT : 1 + random.nextInt(27);
            MemorySegment r = arena.allocate(4L * count);
            MemorySegment u = arena.allocate(4L * count);
            int spread = 1 + seed % 30;
            for (int i = 0; i < count; i++) {
                float value = random.nextInt(20) == 0 ? 0 : (float) Math.exp(spread * random.nextGaussian());
                float next = random.nextInt(3) == 0 ? value : value * (float) Math.exp(2 * random.nextGaussian());
                r.setAtIndex(ValueLayout.JAVA_FLOAT, i, Math.min(value, Float.MAX_VALUE));
                u.setAtIndex(ValueLayout.JAVA_FLOAT, i, Math.min(next, Float.MAX_VALUE));
            }
            if (seed % 8 == 5) {
                float[] bad = {-1, Float.NaN, Float.POSITIVE_INFINITY, -0.0f};
                (seed % 16 == 5 ? u : r).setAtIndex(ValueLayout.JAVA_FLOAT, random.nextInt(count), bad[seed / 8 % 4]);
            }
            MemorySegment vector = arena.allocate(4L * count).copyFrom(r);
            int expected = new ScalarLogSteps().quantize(u, r, count, shift, block, jumps);
            assertThat(new VectorLogSteps().quantize(u, vector, count, shift, other, otherJumps))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            if (expected < 0) {
                refused++;
                continue;
            }
            assertThat(vector.mismatch(r)).as("seed %d", seed).isEqualTo(-1);
            assertThat(other.idCount).as("seed %d", seed).isEqualTo(block.idCount);
            assertThat(Arrays.equals(other.ids, 0, block.idCount, block.ids, 0, block.idCount))
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(Arrays.equals(other.mask, 0, block.maskBytes(), block.mask, 0, block.maskBytes()))
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(Arrays.equals(otherJumps, 0, expected, jumps, 0, expected))
                    .as("seed %d", seed)
                    .isTrue();
        }
        assertThat(refused).isEqualTo(15);
    }

    @Test
    void bothRefuseTheSameBlocks() {
        int refused = 0;
        for (int seed = 0; seed < 400; seed++) {
            var random = new Random(seed);
            int count = COUNTS[seed % 7];
            MemorySegment r = arena.allocate(4L * count);
            block.reset(count);
            int ids = 0;
            int jumpCount = 0;
            for (int i = 0; i < count; i++) {
                r.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) Math.exp(20 * random.nextGaussian()));
                if (i % 8 == 0) {
                    block.mask[i >> 3] = 0;
                }
                if (random.nextInt(20) == 0) {
                    block.mask[i >> 3] |= (byte) (1 << (i & 7));
                    int id = 1 + random.nextInt(15);
                    block.ids[ids++] = (byte) id;
                    if (id == LogKernels.JUMP) {
                        jumps[jumpCount++] = (byte) random.nextInt(255);
                    }
                }
            }
            block.idCount = ids;
            int claimed = Math.max(0, jumpCount - random.nextInt(2));
            MemorySegment vector = arena.allocate(4L * count).copyFrom(r);
            int expected = new ScalarLogSteps().apply(block, r, 21, jumps, claimed);
            assertThat(new VectorLogSteps().apply(block, vector, 21, jumps, claimed))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            if (expected < 0) {
                refused++;
            } else {
                assertThat(vector.mismatch(r)).as("seed %d", seed).isEqualTo(-1);
            }
        }
        assertThat(refused).isBetween(50, 350);
    }
}
