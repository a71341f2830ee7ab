package dev.cairn.codec.lossy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.lossy.LloydMax.Zero;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LloydMaxTest {
    private static final int COUNT = 65_536;

    /// Max's tables: the eight best values of a normal distribution, mean squared error .03454.
    @Test
    void findsTheBestValuesOfANormalDistribution() {
        float[] values = solve(normal(1), 8, Zero.ABSENT);
        float[] best = {-2.152f, -1.344f, -0.756f, -0.2451f, 0.2451f, 0.756f, 1.344f, 2.152f};
        assertThat(values).containsExactly(best, Offset.offset(0.05f));
        assertThat(meanError(normal(1), new Codebook(values, Zero.ABSENT), values))
                .isCloseTo(0.03454, within(0.0005));
    }

    @Test
    void fewDifferentNumbersHaveNoError() {
        float[] numbers = new float[1000];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = new float[] {-3, -1e-3f, 0, 2e-3f, 5}[i % 5];
        }
        assertThat(solve(numbers, 15, Zero.GIVEN)).containsExactly(-3, -1e-3f, 2e-3f, 5);
    }

    @Test
    void nothingAndOnlyZeroNeedNoValues() {
        assertThat(solve(new float[0], 7, Zero.ABSENT)).isEmpty();
        assertThat(solve(new float[5], 7, Zero.GIVEN)).isEmpty();
        assertThat(new Codebook(new float[0], Zero.ABSENT).idOf(1)).isZero();
    }

    @Test
    void oneOutlierDoesNotCostTheRest() {
        float[] numbers = normal(2);
        double before = meanError(numbers, 7);
        numbers[100] = 1000;
        assertThat(meanError(numbers, 8)).isLessThan(1.3 * before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void leavesNoMoreErrorThanAsManyExponentBuckets(int bits) {
        var type = ElementType.FLOAT32;
        var exponents = new TableQuantizer(type, new Scheme.Exponent(bits));
        var squares = new LeastSquaresQuantizer(type, bits, LeastSquaresQuantizer.Range.ANY);
        for (int seed = 0; seed < 5; seed++) {
            MemorySegment live = MemorySegment.ofArray(normal(seed));
            assertThat(exponents.quantize(live, MemorySegment.ofArray(new float[COUNT])))
                    .isTrue();
            assertThat(squares.quantize(live, MemorySegment.ofArray(new float[COUNT])))
                    .isTrue();
            assertThat(squares.errorSquares()).as("seed %d", seed).isLessThanOrEqualTo(exponents.errorSquares());
        }
    }

    @Test
    void valuesThatMayNotBeNegativeAreNot() {
        float[] live = new float[COUNT];
        float[] reference = new float[COUNT];
        var random = new Random(3);
        for (int i = 0; i < COUNT; i++) {
            reference[i] = random.nextFloat();
            live[i] = random.nextFloat() * random.nextFloat();
        }
        var quantizer = new LeastSquaresQuantizer(ElementType.FLOAT32, 3, LeastSquaresQuantizer.Range.NOT_NEGATIVE);
        assertThat(quantizer.quantize(MemorySegment.ofArray(live), MemorySegment.ofArray(reference)))
                .isTrue();
        for (float value : reference) {
            assertThat(value).isNotNegative();
        }
    }

    private static double meanError(float[] numbers, int most) {
        float[] values = solve(numbers, most, Zero.GIVEN);
        return meanError(numbers, new Codebook(values, Zero.GIVEN), values);
    }

    private static double meanError(float[] numbers, Codebook book, float[] values) {
        double errors = 0;
        for (float number : numbers) {
            int id = book.idOf(number);
            double error = number - (id == 0 ? 0 : values[id - 1]);
            errors += error * error;
        }
        return errors / numbers.length;
    }

    private static float[] solve(float[] numbers, int most, Zero zero) {
        float largest = 0;
        for (float number : numbers) {
            largest = Math.max(largest, Math.abs(number));
        }
        var solver = new LloydMax();
        solver.begin(largest);
        for (float number : numbers) {
            solver.add(number);
        }
        return solver.solve(most, zero);
    }

    private static float[] normal(long seed) {
        var random = new Random(seed);
        float[] numbers = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }
}
