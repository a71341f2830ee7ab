package dev.cairn.cluster.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.notice.Notice;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StopOrderTest {
    private static final Notice BY_HAND = Notice.byHand("SIGTERM");
    private static final Notice OF_A_MEMBER = new Notice("SIGTERM", null, false);

    private final StopOrder stop = new StopOrder(Duration.ofMinutes(10));

    @Test
    void theFirstNoticeSavesTheSecondGivesTheSaveUpAndTheThirdEnds() {
        assertThat(stop.isGiven()).isFalse();
        assertThat(stop.isFinal(0)).isFalse();
        stop.add(BY_HAND, 0);
        assertThat(stop.isGiven()).isTrue();
        assertThat(stop.insists()).isFalse();
        stop.add(BY_HAND, 1);
        assertThat(stop.insists()).isTrue();
        assertThat(stop.isFinal(1)).isFalse();
        stop.add(BY_HAND, 2);
        assertThat(stop.isFinal(2)).isTrue();
    }

    /// A terminal sends Ctrl-C to the supervisor and to all members.
    @Test
    void whatMembersHeardOfTheSameSignalDoesNotInsist() {
        stop.add(OF_A_MEMBER, 0);
        stop.add(BY_HAND, 1);
        stop.add(OF_A_MEMBER, 2);
        assertThat(stop.insists()).isFalse();
        stop.add(BY_HAND, 3);
        assertThat(stop.insists()).isTrue();
        var other = new StopOrder(Duration.ofMinutes(10));
        for (int i = 0; i < 9; i++) {
            other.add(OF_A_MEMBER, i);
        }
        assertThat(other.insists()).isFalse();
    }

    @Test
    void theTimeOfTheFirstNoticeIsTheLimit() {
        stop.add(new Notice("the deadline", Duration.ofSeconds(30), false), 0);
        assertThat(stop.isFinal(Duration.ofSeconds(30).toNanos())).isFalse();
        assertThat(stop.isFinal(Duration.ofSeconds(60).toNanos())).isTrue();
        assertThat(stop.why()).contains("time had run out");
    }
}
