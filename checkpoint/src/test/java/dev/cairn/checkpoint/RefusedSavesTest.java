package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls that would ruin a run are refused before anything is written, with one line that says what to do.
class RefusedSavesTest {
    @TempDir
    Path folder;

    private final List<CheckpointEvent> events = new ArrayList<>();
    private final TrainingState state = TrainingState.of(LiveTensor.of("w", Role.WEIGHT, new float[] {1, 2, 3}));

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void aNegativeStepIsRefused(long step) throws IOException {
        try (Checkpoints checkpoints = open("run")) {
            checkpoints.saveNow(10, state);
            refused(checkpoints, () -> checkpoints.afterStep(step, state), "steps must not be negative: step=" + step);
            refused(checkpoints, () -> checkpoints.saveNow(step, state), "steps must not be negative: step=" + step);
            refused(
                    checkpoints,
                    () -> checkpoints.saveNow(step, state, Cancellation.never()),
                    "steps must not be negative: step=" + step);
            checkpoints.saveNow(11, state);
        }
        assertThat(newest("run")).hasValue(11L);
    }

    @Test
    void aRunThatNobodyRestoredIsNotAppendedTo() throws IOException {
        try (Checkpoints checkpoints = open("run")) {
            checkpoints.saveNow(9, state);
            checkpoints.saveNow(10, state);
        }
        try (Checkpoints forgetful = open("run")) {
            String line = "the run has checkpoints (2, the newest of step 10) but none was restored: call restoreLatest"
                    + " before the first step, or startFresh to start over without them";
            refused(forgetful, () -> forgetful.afterStep(2, state), line);
            refused(forgetful, () -> forgetful.saveNow(12, state), line);
        }
        assertThat(newest("run")).hasValue(10L);
        try (Checkpoints restored = open("run")) {
            restored.restoreLatest(state);
            restored.saveNow(10, state);
            restored.afterStep(12, state);
        }
        assertThat(newest("run")).hasValue(12L);
    }

    @Test
    void stepsGoBackByAnExplicitWordOnly() throws IOException {
        try (Checkpoints checkpoints = open("run")) {
            checkpoints.afterStep(2, state);
            checkpoints.awaitSave();
            checkpoints.afterStep(4, state);
            checkpoints.awaitSave();
            refused(
                    checkpoints,
                    () -> checkpoints.afterStep(3, state),
                    "step 3 is before step 4, which the run has reached: continue from the step of the checkpoint that was"
                            + " restored, go back with rollBack, or start over with startFresh");
            assertThat(checkpoints.rollBack(3, 1, state)).map(Checkpoint::step).hasValue(2L);
            checkpoints.saveNow(3, state);
            assertThat(newest(checkpoints)).hasValue(3L);
            checkpoints.startFresh();
            checkpoints.saveNow(1, state);
            assertThat(newest(checkpoints)).hasValue(1L);
        }
    }

    @Test
    void anEmptyRunAFreshOneAndAForkBeginAnywhere() throws IOException {
        try (Checkpoints checkpoints = open("run")) {
            assertThat(checkpoints.restoreLatest(state)).isEmpty();
            checkpoints.saveNow(7, state);
        }
        try (Checkpoints fork = open("fork")) {
            fork.restoreFrom(ForkPoint.of(folder.resolve("run"), new Selector.Latest()), state, Matching.WHOLE);
            fork.saveNow(0, state);
        }
        try (Checkpoints fresh = open("run")) {
            fresh.startFresh();
            fresh.saveNow(0, state);
        }
        assertThat(newest("fork")).hasValue(0L);
        assertThat(newest("run")).hasValue(0L);
    }

    @Test
    void twoTensorsOfOneNameAreRefused() throws IOException {
        float[] values = {1, 2, 3};
        TrainingState twice = TrainingState.of(
                LiveTensor.of("w", Role.WEIGHT, values), LiveTensor.of("w", Role.FIRST_MOMENT, new float[3]));
        String line = "two tensors of the state have the name 'w': give each tensor a unique name";
        try (Checkpoints checkpoints = open("run")) {
            refused(checkpoints, () -> checkpoints.afterStep(1, twice), line);
            checkpoints.saveNow(1, state);
        }
        try (Checkpoints checkpoints = open("run")) {
            refused(checkpoints, () -> checkpoints.restoreLatest(twice), line);
        }
        assertThat(values).containsExactly(1, 2, 3);
    }

    @Test
    void attributesThatNoReaderShouldHaveToLoadFailTheSaveAndWriteNothing() throws IOException {
        var large = new NamedState().with("w", 1, 3);
        for (int i = 0; i < 17; i++) {
            large.with(Attributes.empty().with("text" + i, "x".repeat(1 << 20)));
        }
        try (Checkpoints checkpoints = open("run")) {
            List<Path> before = files();
            checkpoints.saveNow(1, large);
            assertThat(files()).isEqualTo(before);
            assertThat(checkpoints.statistics().failed()).isOne();
            large.attributes = Attributes.empty();
            checkpoints.saveNow(1, large);
        }
        assertThat(events)
                .filteredOn(CheckpointEvent.SaveFailed.class::isInstance)
                .singleElement()
                .extracting(
                        event -> ((CheckpointEvent.SaveFailed) event).cause().getMessage())
                .asString()
                .contains("the maximum is 16777216; store large values in a tensor");
        assertThat(newest("run")).hasValue(1L);
    }

    /// A state that returns all attributes it was restored with, or invents some, does not change Cairn's own
    /// attributes.
    @Test
    void namesOfCairnsOwnAttributesAreLeftToIt() throws IOException {
        var hostile = new NamedState().with("w", 1, 3);
        hostile.with(Attributes.empty()
                .with("cairn.errorOfState", "much")
                .with("cairn.uptimeSeconds", "long")
                .with("loss", "low"));
        try (Checkpoints checkpoints = open("run")) {
            checkpoints.saveNow(1, hostile);
        }
        try (Checkpoints checkpoints = open("run")) {
            Attributes attributes =
                    checkpoints.restoreLatest(hostile).orElseThrow().attributes();
            assertThat(attributes.asMap()).containsEntry("loss", "low").doesNotContainKey("cairn.errorOfState");
            assertThat(attributes.number("cairn.uptimeSeconds")).isPresent();
        }
    }

    @Test
    void whatIsClosedSaysSoAndMayBeClosedAgain() throws IOException {
        Checkpoints closed = open("run");
        closed.saveNow(1, state);
        closed.close();
        assertThatCode(closed::close).doesNotThrowAnyException();
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> closed.afterStep(2, state),
                () -> closed.saveNow(2, state),
                () -> closed.saveNow(2, state, Cancellation.never()),
                () -> closed.restoreLatest(state),
                () -> closed.restoreLatest(state, Matching.PARTIAL),
                () -> closed.rollBack(1, 1, state),
                () -> closed.restoreFrom(
                        ForkPoint.of(folder.resolve("run"), new Selector.Latest()), state, Matching.WHOLE),
                closed::startFresh,
                closed::beforeUpdate,
                closed::awaitSave,
                closed::awaitHousekeeping,
                closed::fetchCopy,
                closed::newestRecord,
                closed::count,
                () -> closed.newestStepUpTo(1),
                () -> closed.isSaved(1),
                () -> closed.checkRoom(state))) {
            assertThatThrownBy(use)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("the run is closed: open it again with Checkpoints.open, and restore");
        }
        assertThat(closed.statistics().committed()).isOne();
        assertThat(closed.lastSavedStep()).hasValue(1);
        assertThat(newest("run")).hasValue(1L);
    }

    /// The call is refused with this line, and the run has the same files as before.
    private void refused(Checkpoints checkpoints, ThrowingCallable use, String line) throws IOException {
        checkpoints.awaitHousekeeping();
        List<Path> before = files();
        assertThatThrownBy(use)
                .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class)
                .hasMessage(line);
        checkpoints.awaitHousekeeping();
        assertThat(files()).isEqualTo(before);
        assertThat(checkpoints.statistics().failed()).isZero();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted().toList();
        }
    }

    private Checkpoints open(String run) throws IOException {
        return Checkpoints.open(
                folder.resolve(run),
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withoutLog()
                        .withListener(events::add));
    }

    private Optional<Long> newest(String run) throws IOException {
        try (Checkpoints checkpoints = open(run)) {
            return checkpoints.restoreLatest(state).map(Checkpoint::step);
        }
    }

    private static Optional<Long> newest(Checkpoints checkpoints) throws IOException {
        return checkpoints.newestRecord().map(Checkpoint::step);
    }
}
