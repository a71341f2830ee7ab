package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.Checkpoint.Kind;
import dev.cairn.checkpoint.CheckpointEvent.Committed;
import dev.cairn.checkpoint.CheckpointEvent.PassedOver;
import dev.cairn.checkpoint.CheckpointEvent.SaveFailed;
import dev.cairn.checkpoint.CheckpointEvent.SaveSkipped;
import dev.cairn.checkpoint.SavePolicy.EverySteps;
import dev.cairn.store.Attributes;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.Damage;
import dev.cairn.store.ManualClock;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreLockedException;
import dev.cairn.store.UnfitAttributesException;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointsTest {
    @TempDir
    Path run;

    private final ManualClock time = new ManualClock();
    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();

    @Test
    void aNewRunHasNothingToRestore() throws IOException {
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThat(checkpoints.restoreLatest(new CountingState())).isEmpty();
            assertThat(checkpoints.newestRecord()).isEmpty();
        }
    }

    @Test
    void restoresTheNewestSave() throws IOException {
        train(10, new EverySteps(3));
        var state = new CountingState();
        try (Checkpoints checkpoints = open(new EverySteps(3))) {
            assertThat(checkpoints.restoreLatest(state).map(Checkpoint::step)).contains(10L);
            assertThat(state.isAt(10)).isTrue();
        }
    }

    @Test
    void aSavedStateDoesNotChangeWithTheLiveOne() throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            state.makeStep();
            checkpoints.afterStep(1, state);
            state.makeStep();
        }
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            var restored = new CountingState();
            checkpoints.restoreLatest(restored);
            assertThat(restored.isAt(1)).isTrue();
        }
    }

    @Test
    void passesOverDamageAndSaysSo() throws IOException {
        train(3, new EverySteps(1));
        Path newest = newestSegment();
        Damage.inTheMiddle(newest);
        var state = new CountingState();
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThat(checkpoints.restoreLatest(state).map(Checkpoint::step)).contains(2L);
        }
        assertThat(state.isAt(2)).isTrue();
        assertThat(events(PassedOver.class))
                .singleElement()
                .satisfies(event -> assertThat(event.reason())
                        .hasMessageContaining(newest.getFileName().toString())
                        .hasMessageContaining("expected crc32c=")
                        .hasMessageContaining("actual crc32c="));
    }

    @Test
    void refusesToBeginAgainWhereNothingVerifies() throws IOException {
        train(2, new EverySteps(1));
        try (Stream<Path> segments = Files.list(run.resolve("segments"))) {
            for (Path segment : segments.toList()) {
                Files.write(segment, new byte[10]);
            }
        }
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThatThrownBy(() -> checkpoints.restoreLatest(new CountingState()))
                    .isInstanceOf(NothingToRestoreException.class)
                    .hasMessageContaining("2 checkpoints")
                    .hasMessageContaining("Checkpoints.startFresh");
            checkpoints.startFresh();
            assertThat(checkpoints.restoreLatest(new CountingState())).isEmpty();
        }
    }

    @Test
    void neverPassesOverWhatALaterCairnWrote() throws IOException {
        train(1, new EverySteps(1));
        String body = "cairn-record 99\n{}\n";
        Files.writeString(
                run.resolve("log/0000000002.rec"),
                body + "crc32c "
                        + dev.cairn.codec.Crc32c.text(
                                dev.cairn.codec.Crc32c.of(body.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                        + "\n");
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThatThrownBy(() -> checkpoints.restoreLatest(new CountingState()))
                    .isInstanceOf(NewerFormatException.class);
            assertThatThrownBy(checkpoints::startFresh).isInstanceOf(NewerFormatException.class);
        }
    }

    @Test
    void aFreshStartIsNotUndoneByACrashBeforeItsFirstSave() throws IOException {
        train(5, new EverySteps(1));
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            checkpoints.startFresh();
        }
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThat(checkpoints.restoreLatest(new CountingState())).isEmpty();
        }
    }

    @Test
    void refusesAnotherModelAndListsTheDifferences() throws IOException {
        train(1, new EverySteps(1));
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThatThrownBy(() -> checkpoints.restoreLatest(new CountingState("counts", 999)))
                    .isInstanceOf(StateMismatchException.class)
                    .hasMessageContaining("stored as counts int64[1000], live as counts int64[999]");
            assertThatThrownBy(() -> checkpoints.restoreLatest(new CountingState("other", 1000)))
                    .isInstanceOf(StateMismatchException.class)
                    .hasMessageContaining("missing in the checkpoint: other")
                    .hasMessageContaining("unknown to the model: counts");
        }
    }

    @Test
    void aSecondWriterIsRefused() throws IOException {
        try (Checkpoints _ = open(new EverySteps(1))) {
            assertThatThrownBy(() -> open(new EverySteps(1))).isInstanceOf(StoreLockedException.class);
        }
    }

    @Test
    void savesByTheSteadyClockWhateverWallTimeDoes() throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = open(new SavePolicy.EveryDuration(Duration.ofSeconds(10)))) {
            for (int step = 1; step <= 10; step++) {
                time.advance(Duration.ofSeconds(4));
                time.setTimeOfDay(Instant.EPOCH.minusSeconds(step));
                state.makeStep();
                checkpoints.afterStep(step, state);
                checkpoints.awaitSave();
            }
        }
        assertThat(events(Committed.class))
                .extracting(event -> event.checkpoint().step())
                .containsExactly(3L, 6L, 9L);
    }

    @Test
    void aSaveDuringAnotherIsSkippedAndSaysSo() throws Exception {
        var release = new CountDownLatch(1);
        var options = CheckpointOptions.defaults()
                .withPolicy(new EverySteps(1))
                .withoutLog()
                .withListener(event -> {
                    events.add(event);
                    if (event instanceof Committed) {
                        awaitQuietly(release);
                    }
                });
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            state.makeStep();
            checkpoints.afterStep(1, state);
            state.makeStep();
            checkpoints.afterStep(2, state);
            release.countDown();
            assertThat(checkpoints.statistics().skipped()).isEqualTo(1);
        }
        assertThat(events(SaveSkipped.class)).containsExactly(new SaveSkipped(2, 1, 1));
    }

    @Test
    void aFailedSaveIsAnEventAndTheNextOneSucceeds() throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            Files.writeString(run.resolve("segments"), "in the way");
            state.makeStep();
            checkpoints.saveNow(1, state);
            assertThat(events(SaveFailed.class)).hasSize(1);
            assertThat(checkpoints.statistics().lastFailed()).isTrue();
            Files.delete(run.resolve("segments"));
            checkpoints.saveNow(1, state);
            assertThat(checkpoints.statistics().lastFailed()).isFalse();
            assertThat(checkpoints.statistics().committed()).isEqualTo(1);
        }
    }

    @Test
    void aWriterThatWasOvertakenStops() throws IOException {
        var state = new CountingState();
        Checkpoints checkpoints = open(new EverySteps(1));
        state.makeStep();
        checkpoints.saveNow(1, state);
        // Somebody who does not know our lock, as on a file system without locks.
        CheckpointWriter.open(new CheckpointStore(new LocalBlobStore(run)), () -> {})
                .commitFreshStart(time.now());
        state.makeStep();
        assertThatThrownBy(() -> checkpoints.saveNow(2, state)).isInstanceOf(CommitConflictException.class);
        checkpoints.close();
    }

    @Test
    void anOvertakenWriterThatIsClosedByItsBlockTellsTheReason() {
        var state = new CountingState();
        assertThatThrownBy(() -> {
                    try (Checkpoints checkpoints = open(new EverySteps(1))) {
                        state.makeStep();
                        checkpoints.saveNow(1, state);
                        CheckpointWriter.open(new CheckpointStore(new LocalBlobStore(run)), () -> {})
                                .commitFreshStart(time.now());
                        state.makeStep();
                        checkpoints.afterStep(2, state);
                        Eventually.holds(
                                "the save fails",
                                () -> !events(SaveFailed.class).isEmpty());
                        checkpoints.afterStep(3, state); // knows it; so does the save that close waits for
                    }
                })
                .isInstanceOf(CommitConflictException.class);
    }

    @Test
    void knowsWhetherAStepIsSaved() throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            state.makeStep();
            assertThat(checkpoints.isSaved(1)).isFalse();
            checkpoints.afterStep(1, state);
            assertThat(checkpoints.isSaved(1)).isTrue();
            checkpoints.startFresh();
            assertThat(checkpoints.isSaved(1)).isFalse();
            checkpoints.saveNow(1, state);
            assertThat(checkpoints.count()).isEqualTo(1);
        }
    }

    @Test
    void twoTensorsOfOneNameAreRefusedNotMixedUp() throws IOException {
        var one = new CountingState();
        var two = new CountingState();
        var both = new TrainingState() {
            @Override
            public List<LiveTensor> tensors() {
                return List.of(one.tensors().getFirst(), two.tensors().getFirst());
            }

            @Override
            public Attributes attributes() {
                return Attributes.empty();
            }

            @Override
            public void restored(long step, Attributes attributes) {}
        };
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThatThrownBy(() -> checkpoints.saveNow(1, both)).isInstanceOf(IllegalArgumentException.class);
            assertThat(checkpoints.count()).isZero();
        }
    }

    @Test
    void aWriterWhoseLockFileIsGoneCommitsNothingMoreAndStops() throws IOException {
        var state = new CountingState();
        assertThatThrownBy(() -> {
                    try (Checkpoints checkpoints = open(new EverySteps(1))) {
                        Files.delete(run.resolve("writer.lock"));
                        state.makeStep();
                        checkpoints.saveNow(1, state);
                    }
                })
                .isInstanceOf(CommitConflictException.class)
                .hasMessageContaining("writer.lock was removed or replaced");
        assertThat(new LocalBlobStore(run).list("log/")).isEmpty();
    }

    @Test
    void anyErrorOfASaveIsAnEventAndTheTrainingGoesOn() throws IOException {
        var state = new CountingState();
        var options = CheckpointOptions.defaults()
                .withPolicy(new EverySteps(1))
                .withoutLog()
                .withListener(event -> {
                    events.add(event);
                    throw new IllegalStateException("a listener that throws");
                });
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            state.makeStep();
            checkpoints.afterStep(1, state);
            checkpoints.awaitSave();
            assertThat(checkpoints.statistics().committed()).isEqualTo(1);
        }
    }

    @Test
    void aListenerThatRunsOutOfMemoryEndsNothing() throws IOException {
        var state = new CountingState();
        var options = CheckpointOptions.defaults()
                .withPolicy(new EverySteps(1))
                .withoutLog()
                .withListener(_ -> {
                    throw new OutOfMemoryError("a listener's");
                });
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            for (int step = 1; step <= 2; step++) {
                state.makeStep();
                checkpoints.afterStep(step, state);
                checkpoints.awaitSave();
            }
            assertThat(checkpoints.statistics().committed()).isEqualTo(2);
            assertThat(checkpoints.lastSavedStep()).hasValue(2);
        }
    }

    @Test
    void afterASaveThatRanOutOfMemoryComesABase() throws IOException {
        var state = new CountingState();
        var blobs = new WatchedBlobStore(new LocalBlobStore(run), operation -> {
            if (operation.startsWith("finish segments/") && state.step == 3) {
                throw new OutOfMemoryError("of a save");
            }
        });
        try (Checkpoints checkpoints = Checkpoints.open(
                blobs,
                CheckpointOptions.defaults()
                        .withPolicy(new EverySteps(1))
                        .withoutLog()
                        .withListener(events::add))) {
            for (int step = 1; step <= 4; step++) {
                state.makeStep();
                checkpoints.afterStep(step, state);
                checkpoints.awaitSave();
            }
        }
        assertThat(events(SaveFailed.class))
                .singleElement()
                .satisfies(failed -> assertThat(failed.cause()).isInstanceOf(OutOfMemoryError.class));
        assertThat(events(Committed.class))
                .extracting(event -> event.checkpoint().kind())
                .containsExactly(Kind.BASE, Kind.DELTA, Kind.BASE);
    }

    @Test
    void aCheckpointWhoseAttributesDoNotFitIsPassedOver() throws IOException {
        train(2, new EverySteps(1));
        var picky = new PickyState(() -> new UnfitAttributesException("two is none of mine"));
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThat(checkpoints.restoreLatest(picky).map(Checkpoint::step)).contains(1L);
        }
        assertThat(picky.isAt(1)).isTrue();
        assertThat(events(PassedOver.class))
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).hasMessageContaining("two is none of mine"));
    }

    /// An error of the program says nothing of the checkpoint: no older one may be taken for it.
    @ParameterizedTest
    @ValueSource(classes = {NullPointerException.class, IllegalArgumentException.class, IllegalStateException.class})
    void anExceptionOfTheStateReachesTheCallerAsItIsAndNothingOlderIsRestored(Class<? extends RuntimeException> kind)
            throws Exception {
        train(2, new EverySteps(1));
        RuntimeException mistake = kind.getConstructor(String.class).newInstance("a mistake of the state's own");
        var picky = new PickyState(() -> mistake);
        try (Checkpoints checkpoints = open(new EverySteps(1))) {
            assertThatThrownBy(() -> checkpoints.restoreLatest(picky)).isSameAs(mistake);
            assertThatThrownBy(() -> checkpoints.rollBack(2, 1, picky)).isSameAs(mistake);
            assertThat(checkpoints.lastSavedStep()).as("nothing was restored").isEmpty();
        }
        assertThat(picky.offered).containsExactly(2L, 2L);
        assertThat(events).isEmpty();
    }

    @Test
    void anExceptionOfTheStateEndsAForkToo(@TempDir Path other) throws IOException {
        train(2, new EverySteps(1));
        var mistake = new NullPointerException("a mistake of the state's own");
        var picky = new PickyState(() -> mistake);
        ForkPoint point = ForkPoint.of(run, new Selector.Latest());
        try (Checkpoints checkpoints = Checkpoints.open(
                other, CheckpointOptions.defaults().withoutLog().withListener(events::add))) {
            assertThatThrownBy(() -> checkpoints.restoreFrom(point, picky, Matching.WHOLE))
                    .isSameAs(mistake);
            assertThat(checkpoints.count()).isZero();
        }
        assertThat(picky.offered).containsExactly(2L);
        assertThat(events).isEmpty();
    }

    /// Will not have step 2.
    private static final class PickyState extends CountingState {
        private final Supplier<RuntimeException> refusal;
        private final List<Long> offered = new ArrayList<>();

        PickyState(Supplier<RuntimeException> refusal) {
            this.refusal = refusal;
        }

        @Override
        public void restored(long restoredStep, Attributes attributes) {
            offered.add(restoredStep);
            if (restoredStep == 2) {
                throw refusal.get();
            }
            super.restored(restoredStep, attributes);
        }
    }

    private void train(int steps, SavePolicy policy) throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = open(policy)) {
            for (int step = 1; step <= steps; step++) {
                state.makeStep();
                checkpoints.afterStep(step, state);
                checkpoints.awaitSave();
            }
            if (!checkpoints.isSaved(steps)) {
                checkpoints.saveNow(steps, state);
            }
        }
        events.clear();
    }

    private Checkpoints open(SavePolicy policy) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(policy)
                        .withoutLog()
                        .withListener(events::add)
                        .withTime(time));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private <T extends CheckpointEvent> List<T> events(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private Path newestSegment() throws IOException {
        try (Stream<Path> segments = Files.list(run.resolve("segments"))) {
            return segments.sorted().toList().getLast();
        }
    }
}
