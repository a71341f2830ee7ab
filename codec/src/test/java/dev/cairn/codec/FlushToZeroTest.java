package dev.cairn.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Checks that the mode has the effect that other tests rely on.
class FlushToZeroTest {
    @BeforeEach
    void needsTheMode() {
        FlushToZero.assumeSupported();
    }

    @Test
    void holdsInInterpretedAndInCompiledCode() {
        try (var _ = FlushToZero.on()) {
            float[] numbers = new float[4096];
            Arrays.fill(numbers, Float.MIN_NORMAL);
            for (int round = 0; round < 2000; round++) {
                assertThat(countOfZeroHalves(numbers)).as("round %d", round).isEqualTo(numbers.length);
            }
        }
    }

    @Test
    void endsWhenItIsClosed() {
        assertThat(FlushToZero.isOn()).isFalse();
        try (var _ = FlushToZero.on()) {
            assertThat(FlushToZero.isOn()).isTrue();
        }
        assertThat(FlushToZero.isOn()).isFalse();
    }

    private static int countOfZeroHalves(float[] numbers) {
        int count = 0;
        for (float number : numbers) {
            count += Float.floatToRawIntBits(number * 0.5f) == 0 ? 1 : 0;
        }
        return count;
    }
}
