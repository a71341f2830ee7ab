package dev.cairn.store.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LanesTest {
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Lanes lanes = new Lanes("test", "testing", stopped::countDown);

    @Test
    void everyLaneWorksOnceAndTheCallersIsTheFirst() throws IOException {
        Set<Integer> seen = Collections.synchronizedSet(new HashSet<>());
        var caller = Thread.currentThread();
        lanes.run(4, lane -> {
            assertThat(Thread.currentThread().equals(caller)).isEqualTo(lane == 0);
            assertThat(seen.add(lane)).isTrue();
        });
        assertThat(seen).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void theFirstErrorWakesTheOthersAndIsThrown() {
        assertThatThrownBy(() -> lanes.run(3, lane -> {
                    if (lane == 2) {
                        throw new IOException("lane 2");
                    }
                    assertThat(stopped.await(5, TimeUnit.MINUTES)).isTrue();
                    assertThat(lanes.hasFailed()).isTrue();
                    throw new IllegalStateException("came later");
                }))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("lane 2");
    }

    @Test
    void anErrorOfTheMachineReachesTheCaller() {
        assertThatThrownBy(() -> lanes.run(2, lane -> {
                    if (lane == 1) {
                        throw new OutOfMemoryError("made up");
                    }
                }))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void anInterruptionWaitsForTheOthersAndStaysSet() {
        var ended = new AtomicInteger();
        try {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lanes.run(3, lane -> {
                        if (lane > 0) {
                            assertThat(stopped.await(5, TimeUnit.MINUTES)).isTrue();
                            ended.incrementAndGet();
                        }
                    }))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessage("interrupted while testing");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(ended).hasValue(2);
    }

    @Test
    void worksAloneWhereOthersAreNotAllowed() throws IOException {
        var worked = new AtomicInteger();
        lanes.run(4, thread -> thread.equals(Thread.currentThread()), _ -> worked.incrementAndGet());
        assertThat(worked).hasValue(1);
    }
}
