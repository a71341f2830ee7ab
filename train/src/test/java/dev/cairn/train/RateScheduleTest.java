package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateScheduleTest {
    @ParameterizedTest
    @CsvSource({
        "constant, 1, 1",
        "constant, 100, 1",
        "linear, 1, 1",
        "linear, 51, 0.5",
        "linear, 100, 0.01",
        "linear, 500, 0",
        "cosine, 1, 1",
        "cosine, 51, 0.5",
        "cosine, 26, 0.8535534",
        "step:30:0.1, 30, 1",
        "step:30:0.1, 31, 0.1",
        "step:30:0.1, 61, 0.01",
        "exp:0.5, 1, 1",
        "exp:0.5, 4, 0.125",
        "warmup:10+constant, 1, 0.1",
        "warmup:10+constant, 10, 1",
        "warmup:10+constant, 11, 1",
        "warmup:10+linear, 5, 0.48"
    })
    void givesTheFactorOfAStep(String text, long step, double factor) {
        RateSchedule schedule = RateSchedule.parse(text);
        assertThat(schedule.factor(step, 100)).isCloseTo(factor, within(1e-7));
        assertThat(RateSchedule.parse(schedule.text())).isEqualTo(schedule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cos",
                "step",
                "step:0:0.1",
                "step:10:0",
                "step:10:2",
                "exp:-1",
                "exp:1.5",
                "exp:1e",
                "warmup:0+constant",
                "warmup:5",
                "warmup:5+warmup:5+constant",
                "step:99999999999999:0.5"
            })
    void refusesNonsense(String text) {
        assertThatThrownBy(() -> RateSchedule.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("schedule must be constant, linear, cosine");
    }
}
