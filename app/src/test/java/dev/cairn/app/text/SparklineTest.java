package dev.cairn.app.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SparklineTest {
    @Test
    void goesFromTheLeastToTheLargestValue() {
        assertThat(Sparkline.of(new double[] {7, 6, 5, 4, 3, 2, 1, 0}, 8)).isEqualTo("█▇▆▅▄▃▂▁");
        assertThat(Sparkline.of(new double[] {0, 1, 0}, 8)).isEqualTo("▁█▁");
        assertThat(Sparkline.of(new double[] {3, 3}, 8)).isEqualTo("▁▁");
    }

    @Test
    void ofManyValuesShowsMeans() {
        assertThat(Sparkline.of(IntStream.range(0, 1000).mapToDouble(i -> -i).toArray(), 8))
                .isEqualTo("█▇▆▅▄▃▂▁");
    }

    @Test
    void leavesGapsForWhatIsNoNumber() {
        assertThat(Sparkline.of(new double[] {0, Double.NaN, 1, Double.POSITIVE_INFINITY}, 8))
                .isEqualTo("▁ █ ");
        assertThat(Sparkline.of(new double[] {Double.NaN}, 8)).isEmpty();
        assertThat(Sparkline.of(new double[0], 8)).isEmpty();
    }

    @Test
    void needsACharsetThatHasIt() {
        assertThat(Sparkline.isPossible(UTF_8)).isTrue();
        assertThat(Sparkline.isPossible(US_ASCII)).isFalse();
    }
}
