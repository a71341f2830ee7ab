package dev.cairn.app.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.observe.TrainingProgress.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressLineTest {
    private static final Snapshot NOW = new Snapshot(1200, 2000, 0.12345, "accuracy", 0.972, 7, 62, Optional.empty());

    private static String line(int columns, boolean curves) {
        var view = new Glance.View(
                List.of(4.0, 3.0, 2.0, 1.0, 0.0),
                312.4,
                1150,
                Duration.ofSeconds(3),
                Optional.of(new Glance.Next.In(Duration.ofMillis(12_300))));
        return ProgressLine.of(NOW, view, columns, curves);
    }

    /// The widths of usual and of narrow terminals, less the last column.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "119 | step 1200/2000  loss 0.1235  █▇▅▃▁  accuracy 97.20 %  312/s  checkpoints 7  saved 1150  next in 12.3 s  left 1 min 02 s",
                "79 | step 1200/2000  loss 0.1235  █▇▅▃▁  saved 1150  next in 12.3 s  left 1 min 02 s",
                "59 | step 1200/2000  loss 0.1235  saved 1150  left 1 min 02 s",
                "49 | step 1200/2000  loss 0.1235  left 1 min 02 s",
                "20 | step 1200/2000"
            })
    void whatMattersLeastIsLeftOutFirst(int columns, String expected) {
        String line = line(columns, true);
        assertThat(line.length()).isLessThanOrEqualTo(columns);
        assertThat(line).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 13})
    void theStepIsAlwaysShown(int columns) {
        assertThat(line(columns, true)).isEqualTo("step 1200/2000");
    }

    @Test
    void inALogThereIsEverythingButTheCurve() {
        assertThat(line(Integer.MAX_VALUE, false))
                .isEqualTo("step 1200/2000  loss 0.1235  accuracy 97.20 %  312/s  checkpoints 7  saved 1150  "
                        + "next in 12.3 s  left 1 min 02 s");
    }

    @Test
    void whatIsNotKnownIsNotShown() {
        var view = new Glance.View(List.of(), Double.NaN, -1, Duration.ZERO, Optional.empty());
        assertThat(ProgressLine.of(NOW, view, 200, true))
                .isEqualTo("step 1200/2000  loss 0.1235  accuracy 97.20 %  checkpoints 7  left 1 min 02 s");
    }
}
