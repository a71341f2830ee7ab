package dev.cairn.dashboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private final ManualClock clock = new ManualClock();
    private final RateLimit limit = new RateLimit(10, 2, clock);

    @Test
    void someAtOnceAndThenSoManyASecond() {
        assertThat(passed("a", 15)).isEqualTo(10);
        assertThat(passed("b", 15)).as("another address").isEqualTo(10);
        clock.advance(Duration.ofSeconds(3));
        assertThat(passed("a", 15)).isEqualTo(6);
        clock.advance(Duration.ofHours(1));
        assertThat(passed("a", 15)).isEqualTo(10);
    }

    @Test
    void rememberingManyAddressesForgetsTheOldOnes() {
        passed("a", 15);
        for (int i = 0; i < 100_000; i++) {
            assertThat(limit.isTooMuch("address" + i)).isFalse();
        }
        assertThat(limit.addresses()).isLessThanOrEqualTo(1000);
    }

    private int passed(String address, int requests) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            passed += limit.isTooMuch(address) ? 0 : 1;
        }
        return passed;
    }
}
