package dev.cairn.checkpoint.save;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StallBudgetTest {
    @ParameterizedTest
    @CsvSource({
        // share, least, running, spent, next, left: in seconds
        "0.05, 1, 0, 0, 0, 1",
        "0.05, 1, 100, 0, 0, 5",
        "0.05, 1, 100, 4, 0.5, 0.5",
        "0.02, 0, 100, 1.5, 1, -0.5",
    })
    void allSavesTogetherTakeTheirShare(
            double share, long least, long running, double spent, double next, double left) {
        var budget = new StallBudget(share, Duration.ofSeconds(least));
        assertThat(budget.left(Duration.ofSeconds(running), seconds(spent), seconds(next)))
                .isEqualTo(seconds(left));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(1000 * seconds));
    }
}
