package dev.cairn.checkpoint.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.background.RightOfWay;
import dev.cairn.store.Clock;
import dev.cairn.store.ManualClock;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ScrubPaceTest {
    private static final int MEGABYTE = 1_000_000;

    private final ManualClock time = new ManualClock();
    private final RightOfWay saves = new RightOfWay();

    @Test
    void readsTakeAsLongAsTheRateSays() throws IOException {
        var pace = new ScrubPace(10L * MEGABYTE, time, saves);
        for (int i = 0; i < 51; i++) {
            pace.before(MEGABYTE);
        }
        assertThat(time.elapsed()).isBetween(Duration.ofMillis(4990), Duration.ofMillis(5050));
    }

    @Test
    void idleTimeIsNotMadeUpFor() throws IOException {
        var pace = new ScrubPace(MEGABYTE, time, saves);
        time.advance(Duration.ofHours(1));
        pace.before(MEGABYTE);
        pace.before(MEGABYTE);
        pace.before(MEGABYTE);
        assertThat(time.elapsed().minusHours(1)).isBetween(Duration.ofMillis(1990), Duration.ofMillis(2050));
    }

    @Test
    void nothingIsReadWhileASaveRuns() throws Exception {
        var pace = new ScrubPace(Long.MAX_VALUE, Clock.system(), saves);
        var reads = new AtomicInteger();
        saves.begin();
        saves.begin();
        var asked = new CountDownLatch(1);
        var reader = Thread.ofPlatform().daemon(true).start(() -> {
            asked.countDown();
            try {
                pace.before(MEGABYTE);
                reads.incrementAndGet();
            } catch (IOException ended) {
                reads.set(-1);
            }
        });
        asked.await();
        Eventually.holds("the reader waits", () -> reader.getState() == Thread.State.WAITING);
        saves.end();
        assertThat(reads).hasValue(0);
        saves.end();
        reader.join();
        assertThat(reads).hasValue(1);
    }

    @Test
    void endsWhileASaveRuns() throws Exception {
        saves.begin();
        endsInState(new ScrubPace(Long.MAX_VALUE, Clock.system(), saves), Thread.State.WAITING);
    }

    /// At a byte a second, the next read would have to wait for days.
    @Test
    void endsWhileItKeepsToTheRate() throws Exception {
        var slow = new ScrubPace(1, Clock.system(), saves);
        slow.before(MEGABYTE);
        endsInState(slow, Thread.State.TIMED_WAITING);
    }

    private static void endsInState(ScrubPace pace, Thread.State state) throws Exception {
        var read = new FutureTask<Void>(() -> {
            pace.before(MEGABYTE);
            return null;
        });
        var reader = Thread.ofPlatform().daemon(true).start(read);
        Eventually.holds("the reader waits", () -> reader.getState() == state);
        pace.end();
        assertThatThrownBy(() -> read.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedIOException.class);
    }
}
