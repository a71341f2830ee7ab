package dev.cairn.codec.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A block adds what FORMAT.md says, wherever it begins and ends in the matrix, and is read as it was written.
class PatternBlockTest {
    private static final float SCALE = 0.37e-4f;

    @Test
    void addsTheProductsOfAmountsAndNumbers() throws CorruptBlockException {
        for (int seed = 0; seed < 60; seed++) {
            var random = new Random(seed);
            int columns = 16 + random.nextInt(80);
            int kinds = 1 + random.nextInt(Patterns.MOST);
            int column = random.nextInt(3) == 0 ? 0 : random.nextInt(columns);
            int count = 1 + random.nextInt(12 * columns);
            var numbers = new float[kinds][columns];
            for (float[] pattern : numbers) {
                fill(pattern, Patterns.LARGEST, random);
            }
            var patterns = new Patterns(columns, numbers);
            var block = new PatternBlock(null);
            block.start(patterns, 0, column, count, SCALE);
            int rows = PatternBlock.rows(patterns, column, count);
            var amounts = new float[rows][Patterns.MOST];
            for (int i = 0; i < rows; i++) {
                fill(amounts[i], PatternBlock.LARGEST, random);
                block.setAmounts(i, amounts[i], 0);
            }
            MemorySegment r = Arena.ofAuto().allocate(4L * count, 4);
            MemorySegment expected = Arena.ofAuto().allocate(4L * count, 4);
            for (int e = 0; e < count; e++) {
                float before = (float) random.nextGaussian();
                int sum = 0;
                for (int k = 0; k < kinds; k++) {
                    sum += (int) (amounts[(column + e) / columns][k] * numbers[k][(column + e) % columns]);
                }
                float product = sum * SCALE;
                r.setAtIndex(ValueLayout.JAVA_FLOAT, e, before);
                expected.setAtIndex(ValueLayout.JAVA_FLOAT, e, before + product);
            }
            MemorySegment other = Arena.ofAuto().allocate(4L * count, 4).copyFrom(r);
            block.apply(r);
            assertThat(r.mismatch(expected)).as("seed %d", seed).isEqualTo(-1);

            var frame = new Frame();
            block.write(frame);
            byte[] bytes = frame.contents().toArray(ValueLayout.JAVA_BYTE);
            var reader = new PatternBlock(null);
            reader.read(new FrameReader(bytes, 0, bytes.length), List.of(patterns), count);
            reader.apply(other);
            assertThat(other.mismatch(expected)).as("read, seed %d", seed).isEqualTo(-1);
        }
    }

    private static void fill(float[] numbers, int largest, Random random) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextInt(2 * largest + 1) - largest;
        }
    }
}
