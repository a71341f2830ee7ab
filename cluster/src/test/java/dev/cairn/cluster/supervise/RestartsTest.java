package dev.cairn.cluster.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestartsTest {
    private final Restarts restarts = new Restarts();

    @Test
    void deathsAtOneStepAreTooManyInTheEndAndTheNextStartIsLaterEachTime() {
        Duration last = Duration.ZERO;
        for (int death = 1; death < Restarts.MOST; death++) {
            restarts.died(7, death);
            assertThat(restarts.areTooMany()).isFalse();
            assertThat(restarts.pause()).isGreaterThanOrEqualTo(last);
            last = restarts.pause();
        }
        assertThat(last).isPositive().isLessThan(Duration.ofMinutes(1));
        restarts.died(7, Restarts.MOST);
        assertThat(restarts.areTooMany()).isTrue();
        assertThat(restarts.step()).isEqualTo(7);
    }

    @Test
    void deathsWithProgressBetweenThemAreNeverTooMany() {
        for (int step = 0; step < 100; step++) {
            restarts.died(step, step + 1);
            assertThat(restarts.areTooMany()).isFalse();
            assertThat(restarts.pause()).isZero();
        }
    }

    @Test
    void allThatDieTogetherCountAsOne() {
        for (int worker = 0; worker < 3 * Restarts.MOST; worker++) {
            restarts.died(7, 1);
        }
        assertThat(restarts.deaths()).isEqualTo(1);
        restarts.died(7, 2);
        assertThat(restarts.deaths()).isEqualTo(2);
    }

    @Test
    void eachDeathOfASpareCounts() {
        for (int death = 0; death < Restarts.MOST; death++) {
            assertThat(restarts.areTooMany()).isFalse();
            restarts.died(7, Restarts.NONE);
        }
        assertThat(restarts.areTooMany()).isTrue();
    }
}
