package dev.cairn.checkpoint.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NoticesTest {
    private static final Duration USUAL = Duration.ofMinutes(10);

    private final ManualClock time = new ManualClock();

    @Test
    void theFirstNoticeAsksForASaveAndTheSecondCancelsIt() {
        var notices = notices();
        assertThat(notices.isGiven()).isFalse();
        assertThat(notices.isCancelled()).isFalse();
        notices.post(Notice.byHand("SIGTERM"));
        assertThat(notices.isGiven()).isTrue();
        assertThat(notices.isCancelled()).isFalse();
        assertThat(notices.timeLeft()).isEqualTo(USUAL);
        time.advance(Duration.ofSeconds(1));
        notices.post(Notice.byHand("SIGINT"));
        assertThat(notices.whyCancelled()).contains("a second notice came (SIGINT)");
        assertThat(notices.timeLeft()).isZero();
        assertThat(notices.first().map(Notice::reason)).contains("SIGTERM");
    }

    @Test
    void twoSignalsOfOneEventAreOneNotice() {
        var notices = notices();
        var heard = new ArrayList<String>();
        notices.addListener(notice -> heard.add(notice.reason()));
        notices.post(Notice.byHand("SIGINT"));
        time.advance(Duration.ofMillis(100));
        notices.post(Notice.byHand("SIGINT"));
        assertThat(notices.isCancelled()).isFalse();
        assertThat(heard).containsExactly("SIGINT");
    }

    @Test
    void aSecondSourceOfTheSameNewsCancelsNothingButMayShortenTheTime() {
        var notices = notices();
        notices.post(Notice.byHand("SIGTERM"));
        time.advance(Duration.ofSeconds(1));
        notices.post(new Notice("address", Duration.ofSeconds(30), false));
        assertThat(notices.isCancelled()).isFalse();
        assertThat(notices.timeLeft()).isEqualTo(Duration.ofSeconds(30));
        notices.post(new Notice("file", Duration.ofHours(1), false));
        assertThat(notices.timeLeft()).isEqualTo(Duration.ofSeconds(30));
        time.advance(Duration.ofSeconds(30));
        assertThat(notices.whyCancelled()).contains("its time had run out");
    }

    @Test
    void theUsualTimeIsALimit() {
        var notices = notices();
        notices.post(Notice.byHand("SIGTERM"));
        time.advance(USUAL.minusNanos(1));
        assertThat(notices.isCancelled()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(notices.isCancelled()).isTrue();
    }

    @Test
    void aDeadlineGivesNoticeWithItsGraceLeftAndCancelsWhenReached() {
        var notices = notices(Deadline.in(Duration.ofHours(1), "the time limit", () -> Duration.ofMinutes(2), time));
        time.advance(Duration.ofMinutes(58).minusNanos(1));
        assertThat(notices.isGiven()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(notices.isGiven()).isTrue();
        assertThat(notices.first().map(Notice::reason)).contains("the time limit");
        time.advance(Duration.ofMinutes(2).minusNanos(1));
        assertThat(notices.isCancelled()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(notices.isCancelled()).isTrue();
    }

    @Test
    void aTimeLimitHoldsWhateverWallTimeDoesAndADeadlineFollowsIt() {
        var limit = notices(Deadline.in(Duration.ofMinutes(5), "limit", () -> Duration.ofMinutes(1), time));
        var deadline = notices(
                Deadline.at(time.now().plus(Duration.ofMinutes(5)), "deadline", () -> Duration.ofMinutes(1), time));
        time.setTimeOfDay(Instant.parse("2030-01-01T00:00:00Z"));
        assertThat(limit.isGiven()).isFalse();
        assertThat(deadline.isGiven()).isTrue();
    }

    @Test
    void aDeadlineShortensTheTimeOfEveryNotice() {
        var notices = notices(Deadline.in(Duration.ofMinutes(5), "limit", () -> Duration.ofMinutes(1), time));
        notices.post(Notice.byHand("SIGTERM"));
        assertThat(notices.timeLeft()).isEqualTo(Duration.ofMinutes(5));
        time.advance(Duration.ofMinutes(4).plusSeconds(30));
        notices.poll();
        assertThat(notices.isCancelled()).isFalse();
        time.advance(Duration.ofSeconds(30));
        assertThat(notices.isCancelled()).isTrue();
    }

    @Test
    void aSourceThatFailsDoesNotSilenceTheOthers() {
        NoticeSource failing = () -> {
            throw new IllegalStateException("a source that fails");
        };
        NoticeSource good = () -> Optional.of(new Notice("good", null, false));
        var notices = new Notices(List.of(failing, good), List.of(), USUAL, time);
        notices.poll();
        assertThat(notices.first().map(Notice::reason)).contains("good");
    }

    @Test
    void aWatchedSourceIsAskedAndClosed() throws Exception {
        var closed = new ArrayList<String>();
        var heard = new java.util.concurrent.CountDownLatch(1);
        NoticeSource source = new NoticeSource() {
            @Override
            public Optional<Notice> poll() {
                heard.countDown();
                return Optional.empty();
            }

            @Override
            public void close() {
                closed.add("source");
            }
        };
        try (Notices _ = Notices.watch(List.of(source), List.of(), USUAL, time)) {
            heard.await();
        }
        assertThat(closed).containsExactly("source");
    }

    private Notices notices(Deadline... deadlines) {
        return new Notices(List.of(), List.of(deadlines), USUAL, time);
    }
}
