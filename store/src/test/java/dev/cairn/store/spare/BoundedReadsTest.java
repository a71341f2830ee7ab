package dev.cairn.store.spare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.ManualClock;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.DecoratorContract;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.ReadHookBlobStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BoundedReadsTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String NAME = "segments/a";

    private final MemoryBlobStore memory = new MemoryBlobStore();
    private final AtomicInteger reads = new AtomicInteger();
    private final ManualClock clock = new ManualClock();

    @BeforeEach
    void store() throws IOException {
        memory.createIfAbsent(NAME, new byte[] {1, 2, 3});
    }

    @Nested
    class AsADecorator extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return new BoundedReads(below, LONG, clock);
        }
    }

    @Test
    void aReadThatHangsIsGivenUpAndLaterOnesFailAtOnce() throws IOException {
        var released = new CountDownLatch(1);
        var hanging = new ReadHookBlobStore(memory, (name, offset) -> {
            if (reads.incrementAndGet() == 1) {
                awaitUninterruptibly(released);
            }
        });
        var bounded = new BoundedReads(hanging, Duration.ofMillis(50), clock);
        assertThatThrownBy(() -> bounded.readAll(NAME, 3))
                .isInstanceOf(StorageUnavailableException.class)
                .hasMessageContaining("no answer");
        assertThatThrownBy(() -> bounded.list("segments/")).isInstanceOf(StorageUnavailableException.class);
        assertThat(bounded.outage()).isPresent();
        assertThat(reads.get()).as("reads that were tried").isEqualTo(1);
        released.countDown();
        clock.advance(Duration.ofMinutes(6));
        assertThat(bounded.outage()).isEmpty();
        assertThat(new BoundedReads(hanging, LONG, clock).readAll(NAME, 3)).containsExactly(1, 2, 3);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException ignoredByHangingStorage) {
                // It hangs.
            }
        }
    }

    @Test
    void afterAFailureTheStorageIsLeftAloneForMinutes() throws IOException {
        var failing = new ReadHookBlobStore(memory, (name, offset) -> {
            if (reads.incrementAndGet() == 1) {
                throw new IOException("a cable is cut");
            }
        });
        var bounded = new BoundedReads(failing, LONG, clock);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> bounded.readAll(NAME, 3)).hasMessage("a cable is cut");
        }
        assertThat(reads.get()).isEqualTo(1);
        clock.advance(Duration.ofMinutes(6));
        assertThat(bounded.readAll(NAME, 3)).containsExactly(1, 2, 3);
    }

    @Test
    void anAnswerIsNotAFailure() throws IOException {
        var bounded = new BoundedReads(memory, LONG, clock);
        assertThatThrownBy(() -> bounded.read("segments/b")).isInstanceOf(NoSuchFileException.class);
        assertThat(bounded.outage()).isEmpty();
        assertThat(bounded.readAll(NAME, 3)).containsExactly(1, 2, 3);
    }
}
