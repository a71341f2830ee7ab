package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.SavePolicy.EveryDuration;
import dev.cairn.checkpoint.SavePolicy.EverySteps;
import dev.cairn.checkpoint.SavePolicy.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavePolicyTest {
    @ParameterizedTest
    @CsvSource({"1, 1, true", "1, 7, true", "5, 4, false", "5, 5, true", "5, 6, false", "5, 10, true"})
    void everySteps(long every, long step, boolean due) {
        assertThat(new EverySteps(every).isDue(new Moment(step, Duration.ZERO, Duration.ZERO)))
                .isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource({"PT30S, PT29.999S, false", "PT30S, PT30S, true", "PT30S, PT1H, true", "PT0.001S, PT0S, false"})
    void everyDuration(Duration every, Duration since, boolean due) {
        assertThat(new EveryDuration(every).isDue(new Moment(3, since, Duration.ZERO)))
                .isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource({"PT30S, PT29.999S, false", "PT30S, PT30S, true", "PT0.5S, PT1H, true"})
    void automatic(Duration best, Duration since, boolean due) {
        assertThat(SavePolicy.automatic().isDue(new Moment(3, since, best))).isEqualTo(due);
    }

    @Test
    void refuseIntervalsThatAreNone() {
        assertThatThrownBy(() -> new EverySteps(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EveryDuration(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
