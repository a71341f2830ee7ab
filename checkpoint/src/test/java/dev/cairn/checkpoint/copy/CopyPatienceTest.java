package dev.cairn.checkpoint.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.WatchedBlobStore;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.store.Clock;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long closing a run waits for a copy that cannot be reached, by a clock that advances by two seconds each time
/// the waiting thread reads it.
class CopyPatienceTest {
    private static final Duration TICK = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(14);
    private static final Duration AGES = Duration.ofDays(1);

    @TempDir
    Path folder;

    private final TickingClock clock = new TickingClock();
    private final CountDownLatch copied = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile boolean reachable = true;
    private CheckpointStore run;
    private List<Commit> saved = List.of();

    @BeforeEach
    void train() throws IOException {
        Path here = folder.resolve("run");
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(here, CheckpointOptions.defaults())) {
            for (int i = 1; i <= 2; i++) {
                state.makeStep();
                checkpoints.saveNow(i, state);
            }
        }
        run = new CheckpointStore(new LocalBlobStore(here));
        saved = CopyRound.checkpoints(run.history());
        Files.createDirectory(folder.resolve("copy"));
    }

    private SecondTier tier() throws IOException {
        BlobStore there = new WatchedBlobStore(new LocalBlobStore(folder.resolve("copy")), _ -> {
            if (!reachable) {
                throw new StorageUnavailableException("storage unavailable: nobody answers", new IOException());
            }
        });
        CheckpointOptions options = CheckpointOptions.defaults().withTime(clock);
        var doubts = new Doubts(new Lineage(), CheckpointWriter.open(run, () -> {}));
        return new SecondTier(run, there, there, options, doubts, event -> {
            switch (event) {
                case CheckpointEvent.Copied _ -> copied.countDown();
                case CheckpointEvent.CopyFailed _ -> failed.countDown();
                default -> {}
            }
        });
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void oneThatWasNeverReachedIsGivenUpAfterFiveSeconds() throws Exception {
        reachable = false;
        SecondTier tier = tier();
        tier.saved(saved.getFirst());
        await(failed);
        clock.start();
        tier.close(PATIENCE, () -> AGES);
        assertThat(clock.passed()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void oneThatWasReachedIsWaitedForAsLongAsThePatienceLasts() throws Exception {
        SecondTier tier = reachedOnce();
        clock.start();
        tier.close(PATIENCE, () -> AGES);
        assertThat(clock.passed()).isEqualTo(PATIENCE);
    }

    @Test
    void noneIsWaitedForBeyondTheTimeOfTheProcess() throws Exception {
        SecondTier tier = reachedOnce();
        clock.start();
        tier.close(PATIENCE, () -> Duration.ofSeconds(7).minus(clock.passed()));
        assertThat(clock.passed()).isEqualTo(Duration.ofSeconds(8));
    }

    private SecondTier reachedOnce() throws Exception {
        SecondTier tier = tier();
        tier.saved(saved.getFirst());
        await(copied);
        reachable = false;
        tier.saved(saved.getLast());
        await(failed);
        return tier;
    }

    /// Stands still for all threads except the test's own.
    private static final class TickingClock implements Clock {
        private final Thread waiting = Thread.currentThread();
        private long nanos;
        private long start = -1;

        /// The next reading is the first that counts.
        synchronized void start() {
            start = nanos + TICK.toNanos();
        }

        synchronized Duration passed() {
            return Duration.ofNanos(nanos - start);
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public synchronized long nanos() {
            if (start >= 0 && Thread.currentThread().equals(waiting)) {
                nanos += TICK.toNanos();
            }
            return nanos;
        }
    }
}
