package dev.cairn.codec.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.VectorModule;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The vector loops give the same bits as the scalar loops, for matrices of any shape.
class PatternKernelsTest {
    private static final int[] COLUMNS = {16, 17, 31, 32, 33, 48, 64, 100, 257};
    private static final int[] ROWS = {1, 2, 3, 4, 5, 7, 8, 9, 17};
    private static final int MARGIN = 3;

    private final PatternKernels scalar = new ScalarPatterns();

    @Test
    void vectorEqualsScalar() {
        assumeTrue(
                VectorModule.isPresent() && VectorPatterns.isSupported(),
                "no vectors of 16 floats here: nothing to compare");
        var vector = new VectorPatterns();
        int seed = 0;
        for (int columns : COLUMNS) {
            for (int rows : ROWS) {
                compare(vector, rows, columns, new Random(seed++));
            }
        }
    }

    private void compare(PatternKernels vector, int rows, int columns, Random random) {
        String context = rows + " x " + columns;
        int count = rows * columns;
        Patterns patterns = patterns(1 + random.nextInt(Patterns.MOST), columns, random);
        MemorySegment u = values(count + MARGIN, random);
        MemorySegment r = values(count + MARGIN, random);
        float[] one = new float[count + 1];
        float[] other = new float[count + 1];
        boolean sound = scalar.subtract(u, r, MARGIN, count, one, 1);
        assertThat(vector.subtract(u, r, MARGIN, count, other, 1)).as(context).isEqualTo(sound);
        assertThat(other).as(context).containsExactly(one);

        float[] deltas = Arrays.copyOfRange(one, 1, count + 1);
        float[] dots = new float[rows * Patterns.MOST];
        float[] otherDots = new float[rows * Patterns.MOST];
        scalar.project(deltas, rows, columns, patterns.byColumn(), dots);
        vector.project(deltas, rows, columns, patterns.byColumn(), otherDots);
        assertThat(otherDots).as(context).containsExactly(dots);

        float[] amounts = new float[rows * patterns.count() + 1];
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = random.nextInt(255) - PatternBlock.LARGEST;
        }
        MemorySegment changed = Arena.ofAuto().allocate(r.byteSize(), 4).copyFrom(r);
        scalar.add(r, MARGIN, rows, patterns, amounts, 1, 0.37e-5f);
        vector.add(changed, MARGIN, rows, patterns, amounts, 1, 0.37e-5f);
        assertThat(changed.mismatch(r)).as(context).isEqualTo(-1);
    }

    @Test
    void noticesSubnormalValuesOfTheReference() {
        float[] deltas = new float[40];
        for (PatternKernels kernels : new PatternKernels[] {scalar, new WarmPatterns()}) {
            for (int at = 0; at < 40; at++) {
                for (float value : new float[] {Float.MIN_VALUE, -Float.MIN_VALUE, 0x1.fffffcp-127f}) {
                    MemorySegment r = Arena.ofAuto().allocate(160, 4);
                    r.setAtIndex(ValueLayout.JAVA_FLOAT, at, value);
                    assertThat(kernels.subtract(r, r, 0, 40, deltas, 0)).isFalse();
                }
                for (float value : new float[] {Float.MIN_NORMAL, -Float.MIN_NORMAL, 1, -0f}) {
                    MemorySegment r = Arena.ofAuto().allocate(160, 4);
                    r.setAtIndex(ValueLayout.JAVA_FLOAT, at, value);
                    assertThat(kernels.subtract(r, r, 0, 40, deltas, 0)).isTrue();
                }
            }
        }
    }

    private static Patterns patterns(int count, int columns, Random random) {
        float[][] numbers = new float[count][columns];
        for (float[] pattern : numbers) {
            for (int j = 0; j < columns; j++) {
                pattern[j] = random.nextInt(15) - Patterns.LARGEST;
            }
        }
        return new Patterns(columns, numbers);
    }

    private static MemorySegment values(int count, Random random) {
        MemorySegment values = Arena.ofAuto().allocate(4L * count, 4);
        for (int i = 0; i < count; i++) {
            values.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
        }
        return values;
    }
}
