package dev.cairn.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CounterRandomTest {
    /// The known answer that the authors of Philox publish with Random123: key 0, counter 0.
    @Test
    void givesThePublishedAnswerOfPhilox() {
        var random = new CounterRandom(0, 0);
        assertThat(random.nextLong()).isEqualTo(0xe169c58d_6627e8d5L);
        assertThat(random.nextLong()).isEqualTo(0x9b00dbd8_bc57ac4cL);
    }

    @Test
    void streamsAndKeysGiveDifferentNumbers() {
        long first = new CounterRandom(7, 1).nextLong();
        assertThat(new CounterRandom(7, 1).nextLong()).isEqualTo(first);
        assertThat(new CounterRandom(7, 2).nextLong()).isNotEqualTo(first);
        assertThat(new CounterRandom(8, 1).nextLong()).isNotEqualTo(first);
    }

    @Test
    void boundedNumbersAreUniform() {
        var random = new CounterRandom(3, 0);
        int[] counts = new int[7];
        for (int i = 0; i < 70_000; i++) {
            counts[random.nextInt(7)]++;
        }
        for (int count : counts) {
            assertThat(count).isCloseTo(10_000, within(400));
        }
    }

    @Test
    void gaussiansHaveMeanZeroAndVarianceOne() {
        var random = new CounterRandom(5, 0);
        int n = 100_000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double x = random.nextGaussian();
            sum += x;
            squares += x * x;
        }
        assertThat(sum / n).isCloseTo(0, within(0.02));
        assertThat(squares / n).isCloseTo(1, within(0.02));
    }
}
