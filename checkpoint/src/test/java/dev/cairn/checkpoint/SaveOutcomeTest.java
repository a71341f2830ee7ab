package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.SaveOutcome.Aborted;
import dev.cairn.checkpoint.SaveOutcome.AlreadySaved;
import dev.cairn.checkpoint.SaveOutcome.Committed;
import dev.cairn.checkpoint.SaveOutcome.Failed;
import dev.cairn.checkpoint.SavePolicy.EverySteps;
import dev.cairn.codec.ElementType;
import dev.cairn.store.StoreFullException;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The return value of an immediate save alone says how the save ended.
class SaveOutcomeTest {
    private static final Cancellation CANCELLED = new Cancellation() {
        @Override
        public boolean isCancelled() {
            return true;
        }

        @Override
        public Duration timeLeft() {
            return Duration.ZERO;
        }
    };

    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    private final CountingState state = new CountingState();

    private Checkpoints open(String codec) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new EverySteps(1))
                        .withCodec(Codec.parse(codec))
                        .withoutLog()
                        .withListener(events::add));
    }

    @Test
    void aSaveThatCameToStandIsCommittedWithItsCheckpoint() throws IOException {
        try (Checkpoints checkpoints = open("lossless")) {
            state.makeStep();
            SaveOutcome outcome = checkpoints.saveNow(1, state);
            assertThat(outcome.isSaved()).isTrue();
            assertThat(outcome.step()).isEqualTo(1);
            Committed committed = (Committed) outcome;
            assertThat(new CheckpointStore(new LocalBlobStore(run)).history().currentCheckpoints())
                    .extracting(Checkpoint::of)
                    .containsExactly(committed.checkpoint());
            assertThat(events)
                    .containsExactly(new CheckpointEvent.Committed(
                            committed.checkpoint(),
                            committed.stall(),
                            committed.persist(),
                            committed.error(),
                            Optional.empty()));
            state.makeStep();
            assertThat(checkpoints.saveNow(2, state, Cancellation.never()))
                    .isInstanceOfSatisfying(
                            Committed.class,
                            next -> assertThat(next.checkpoint().step()).isEqualTo(2));
        }
    }

    @Test
    void aSaveThatFailedTellsWhyAndDoesNotThrow() throws IOException {
        try (Checkpoints checkpoints = open("lossless")) {
            Files.writeString(run.resolve("segments"), "in the way");
            state.makeStep();
            for (SaveOutcome outcome :
                    List.of(checkpoints.saveNow(1, state), checkpoints.saveNow(1, state, Cancellation.never()))) {
                assertThat(outcome.isSaved()).isFalse();
                assertThat(outcome.step()).isEqualTo(1);
                assertThat(((Failed) outcome).cause()).isInstanceOf(IOException.class);
            }
            assertThat(events)
                    .filteredOn(CheckpointEvent.SaveFailed.class::isInstance)
                    .hasSize(2);
            assertThat(checkpoints.isSaved(1)).isFalse();
            Files.delete(run.resolve("segments"));
            assertThat(checkpoints.saveNow(1, state).isSaved()).isTrue();
        }
    }

    @Test
    void aSaveWithoutRoomFails() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(
                new SmallDisk(run, 20_000),
                CheckpointOptions.defaults().withoutLog().withListener(events::add))) {
            state.makeStep();
            assertThat(checkpoints.saveNow(1, state))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.cause()).isInstanceOf(StoreFullException.class));
        }
    }

    @Test
    void aCancelledSaveIsAborted() throws IOException {
        try (Checkpoints checkpoints = open("lossless")) {
            state.makeStep();
            checkpoints.saveNow(1, state);
            state.makeStep();
            SaveOutcome outcome = checkpoints.saveNow(2, state, CANCELLED);
            assertThat(outcome).isEqualTo(new Aborted(2));
            assertThat(outcome.isSaved()).isFalse();
            assertThat(checkpoints.lastSavedStep()).hasValue(1);
        }
    }

    @Test
    void whatIsSavedBitForBitIsNotSavedAgain() throws IOException {
        try (Checkpoints checkpoints = open("lossless")) {
            state.makeStep();
            checkpoints.afterStep(1, state);
            SaveOutcome outcome = checkpoints.saveNow(1, state, Cancellation.never());
            assertThat(outcome).isEqualTo(new AlreadySaved(1));
            assertThat(outcome.isSaved()).isTrue();
            assertThat(checkpoints.saveNow(1, state, CANCELLED)).isEqualTo(new AlreadySaved(1));
            assertThat(checkpoints.count()).isEqualTo(1);
        }
        try (Checkpoints checkpoints = open("lossless")) {
            checkpoints.restoreLatest(state);
            assertThat(checkpoints.saveNow(1, state, Cancellation.never())).isEqualTo(new AlreadySaved(1));
            assertThat(checkpoints.count()).isEqualTo(1);
        }
    }

    @Test
    void whatIsSavedWithAnErrorIsSavedAgainBitForBit() throws IOException {
        var drifting = new DriftingState(ElementType.FLOAT32);
        try (Checkpoints checkpoints = open("lossy")) {
            for (int step = 1; step <= 3; step++) {
                drifting.drift(0.02, 0);
                checkpoints.afterStep(step, drifting);
                checkpoints.awaitSave();
            }
            assertThat(checkpoints.saveNow(3, drifting, Cancellation.never())).isInstanceOf(Committed.class);
            assertThat(checkpoints.saveNow(3, drifting, Cancellation.never())).isEqualTo(new AlreadySaved(3));
        }
    }
}
