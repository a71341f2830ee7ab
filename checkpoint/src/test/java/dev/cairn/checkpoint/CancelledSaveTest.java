package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointEvent.Committed;
import dev.cairn.checkpoint.CheckpointEvent.SaveAborted;
import dev.cairn.checkpoint.SavePolicy.EverySteps;
import dev.cairn.checkpoint.SlowBlobStore.Operation;
import dev.cairn.store.ManualClock;
import dev.cairn.store.StoreLockedException;
import dev.cairn.store.right.WriterLock;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A save that is given up leaves the run as its last commit left it.
class CancelledSaveTest {
    private static final Executor SOON = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);

    private final Path run;
    private final SlowBlobStore blobs;
    private final ManualClock time = new ManualClock();
    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();

    CancelledSaveTest(@TempDir Path run) {
        this.run = run;
        this.blobs = new SlowBlobStore(run);
    }

    /// Cancelled by the test.
    private static class ByHand implements Cancellation {
        volatile boolean cancelled;
        volatile Duration left = Duration.ofMinutes(1);

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public Duration timeLeft() {
            return left;
        }
    }

    @Test
    void aSaveCancelledBetweenBlocksLeavesNothingAndTheNextOneIsGood() throws Exception {
        var state = new CountingState();
        var cancellation = new ByHand();
        try (Checkpoints checkpoints = open()) {
            state.makeStep();
            checkpoints.saveNow(1, state);
            state.makeStep();
            blobs.hang(Operation.APPEND);
            var cancelling = CompletableFuture.runAsync(() -> {
                awaitHanging();
                cancellation.cancelled = true;
                blobs.release();
            });
            assertThat(checkpoints.saveNow(2, state, cancellation)).isEqualTo(new SaveOutcome.Aborted(2));
            cancelling.join();
            assertThat(events).last().isEqualTo(new SaveAborted(2));
            assertThat(checkpoints.statistics().aborted()).isEqualTo(1);
            assertThat(checkpoints.statistics().lastFailed()).isFalse();
            assertThat(checkpoints.lastSavedStep()).hasValue(1);
            assertThat(segments()).hasSize(1);
            assertThat(checkpoints.saveNow(2, state, Cancellation.never())).isInstanceOf(SaveOutcome.Committed.class);
        }
        assertThat(restoredStep()).isEqualTo(2);
    }

    @Test
    void aSaveCancelledDuringItsLastSyncIsNotCommitted() throws Exception {
        var state = new CountingState();
        var cancellation = new ByHand();
        try (Checkpoints checkpoints = open()) {
            state.makeStep();
            checkpoints.saveNow(1, state);
            state.makeStep();
            blobs.hang(Operation.FINISH);
            var cancelling = CompletableFuture.runAsync(() -> {
                awaitHanging();
                cancellation.cancelled = true;
                blobs.release();
            });
            assertThat(checkpoints.saveNow(2, state, cancellation)).isEqualTo(new SaveOutcome.Aborted(2));
            cancelling.join();
            assertThat(segments()).hasSize(1);
        }
        assertThat(restoredStep()).isEqualTo(1);
    }

    @Test
    void hangingStorageHoldsNobodyUpAndKeepsTheRunUntilItLetsGo() throws Exception {
        var state = new CountingState();
        var cancellation = new ByHand();
        Checkpoints checkpoints = open();
        state.makeStep();
        checkpoints.saveNow(1, state);
        state.makeStep();
        blobs.hang(Operation.FINISH);
        var cancelling = CompletableFuture.runAsync(() -> {
            awaitHanging();
            cancellation.cancelled = true;
        });
        assertThat(checkpoints.saveNow(2, state, cancellation)).isEqualTo(new SaveOutcome.Aborted(2));
        cancelling.join();
        assertThatThrownBy(() -> checkpoints.saveNow(2, state, Cancellation.never()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("hangs in the storage");
        checkpoints.close();
        assertThatThrownBy(this::open).isInstanceOf(StoreLockedException.class);
        blobs.release();
        Checkpoints next = openWhenFree();
        next.close();
        assertThat(events).filteredOn(SaveAborted.class::isInstance).containsExactly(new SaveAborted(2));
        assertThat(restoredStep()).isEqualTo(1);
    }

    @Test
    void aSaveUnderWayIsFinishedFirst() throws Exception {
        var state = new CountingState();
        try (Checkpoints checkpoints = open()) {
            state.makeStep();
            blobs.hang(Operation.APPEND);
            checkpoints.afterStep(1, state);
            blobs.awaitHanging();
            state.makeStep();
            SOON.execute(blobs::release);
            assertThat(checkpoints.saveNow(2, state, new ByHand())).isInstanceOf(SaveOutcome.Committed.class);
        }
        assertThat(events)
                .filteredOn(Committed.class::isInstance)
                .extracting(event -> ((Committed) event).checkpoint().step())
                .containsExactly(1L, 2L);
    }

    @Test
    void aSaveUnderWayIsGivenUpAfterHalfOfTheTimeForTheExactOne() throws Exception {
        var state = new CountingState();
        var cancellation = new ByHand() {
            private int asked;

            @Override
            public boolean isCancelled() {
                if (++asked == 3) {
                    left = Duration.ofSeconds(30);
                    time.advance(Duration.ofSeconds(30));
                    SOON.execute(blobs::release);
                }
                return false;
            }
        };
        try (Checkpoints checkpoints = open()) {
            state.makeStep();
            blobs.hang(Operation.APPEND);
            checkpoints.afterStep(1, state);
            blobs.awaitHanging();
            state.makeStep();
            assertThat(checkpoints.saveNow(2, state, cancellation)).isInstanceOf(SaveOutcome.Committed.class);
        }
        assertThat(events.getFirst()).isEqualTo(new SaveAborted(1));
        assertThat(restoredStep()).isEqualTo(2);
    }

    private Checkpoints open() throws IOException {
        WriterLock lock = WriterLock.take(run, time.now());
        return Checkpoints.open(
                blobs,
                lock,
                CheckpointOptions.defaults()
                        .withPolicy(new EverySteps(1))
                        .withoutLog()
                        .withListener(events::add)
                        .withTime(time));
    }

    private Checkpoints openWhenFree() throws IOException {
        return Eventually.get("the run is free", () -> {
            try {
                return Optional.of(open());
            } catch (StoreLockedException _) {
                return Optional.empty();
            }
        });
    }

    private long restoredStep() throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = open()) {
            long step = checkpoints.restoreLatest(state).map(Checkpoint::step).orElseThrow();
            assertThat(state.isAt(step)).isTrue();
            return step;
        }
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(run.resolve("segments"))) {
            return files.toList();
        }
    }

    private void awaitHanging() {
        try {
            blobs.awaitHanging();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
