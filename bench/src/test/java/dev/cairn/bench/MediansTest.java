package dev.cairn.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MediansTest {
    @Test
    void theIntervalOfThirtyGoesFromTheTenthToTheTwentyFirst() {
        double[] values = IntStream.rangeClosed(1, 30)
                .map(i -> i * 7 % 31)
                .asDoubleStream()
                .toArray();
        assertThat(Medians.of(values)).isEqualTo(new Medians(15.5, 10, 21));
    }

    @Test
    void fewValuesHaveAnIntervalOfAll() {
        assertThat(Medians.of(new double[] {3, 1, 2})).isEqualTo(new Medians(2, 1, 3));
        assertThat(Medians.of(new double[] {5})).isEqualTo(new Medians(5, 5, 5));
    }
}
