package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent.Committed;
import dev.cairn.checkpoint.CheckpointEvent.SaveFailed;
import dev.cairn.checkpoint.SavePolicy.EverySteps;
import dev.cairn.checkpoint.capture.OneCopyThread;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Captures that run beside the training. The threads that copy are held up until the test lets them go, so
/// that what is saved cannot be right by chance.
class OverlapTest {
    private static final int BYTES = 5000;

    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    private final OneCopyThread copying = new OneCopyThread();

    @Test
    void whatIsSavedIsTheStateAfterTheStepThoughTheTrainingWentOn() throws IOException {
        var state = new State(Arena.ofAuto());
        try (Checkpoints checkpoints = open(CaptureMode.COPY)) {
            checkpoints.beforeUpdate();
            state.fill(1);
            CountDownLatch release = copying.holdUp();
            checkpoints.afterStep(1, state);
            state.forward(2);
            whenWaiting(release);
            checkpoints.beforeUpdate();
            state.fill(2);
            assertThat(checkpoints.statistics().stall()).isPositive();
        }
        assertThat(restored()).isEqualTo(filled(1));
    }

    @Test
    void anUpdateThatWasNotAnnouncedIsNotExpectedToBe() throws IOException {
        var state = new State(Arena.ofAuto());
        CountDownLatch release;
        try (Checkpoints checkpoints = open(CaptureMode.COPY)) {
            checkpoints.beforeUpdate();
            checkpoints.afterStep(1, state);
            checkpoints.awaitSave();
            state.fill(2);
            release = copying.holdUp();
            checkpoints.afterStep(2, state);
            state.fill(3);
            release.countDown();
        }
        assertThat(restored()).isEqualTo(filled(2));
    }

    @Test
    void theNextStepWaitsForACaptureThatNoUpdateWaitedFor() throws IOException {
        var state = new State(Arena.ofAuto());
        try (Checkpoints checkpoints = open(CaptureMode.COPY)) {
            checkpoints.beforeUpdate();
            state.fill(1);
            CountDownLatch release = copying.holdUp();
            checkpoints.afterStep(1, state);
            whenWaiting(release);
            checkpoints.afterStep(2, state);
            assertThat(release.getCount()).isZero();
        }
        assertThat(events).noneMatch(SaveFailed.class::isInstance);
    }

    @Test
    void announcingAnUpdateWithoutACaptureDoesNotWait() throws IOException {
        try (Checkpoints checkpoints = open(CaptureMode.COPY)) {
            CountDownLatch release = copying.holdUp();
            checkpoints.beforeUpdate();
            assertThat(checkpoints.statistics().stall()).isEqualTo(Duration.ZERO);
            release.countDown();
        }
    }

    @Test
    void aSaveOnDemandIsOfTheStateAtTheCall() throws IOException {
        var state = new State(Arena.ofAuto());
        try (Checkpoints checkpoints = open(CaptureMode.COPY)) {
            checkpoints.beforeUpdate();
            state.fill(1);
            checkpoints.afterStep(1, state);
            checkpoints.beforeUpdate();
            state.fill(2);
            checkpoints.saveNow(2, state);
            state.fill(3);
        }
        assertThat(restored()).isEqualTo(filled(2));
    }

    @Test
    void aFailureOfTheThreadsThatCopyIsAFailedSave() throws IOException {
        Arena arena = Arena.ofShared();
        var state = new State(arena);
        try (Checkpoints checkpoints = open(CaptureMode.COPY)) {
            checkpoints.beforeUpdate();
            CountDownLatch release = copying.holdUp();
            checkpoints.afterStep(1, state);
            arena.close();
            release.countDown();
            checkpoints.beforeUpdate();
            checkpoints.awaitSave();
            assertThat(checkpoints.statistics().failed()).isEqualTo(1);
            assertThat(events)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            SaveFailed.class, event -> assertThat(event.cause()).hasMessageContaining("closed"));
            var other = new State(Arena.ofAuto());
            other.fill(4);
            checkpoints.afterStep(2, other);
        }
        assertThat(restored()).isEqualTo(filled(4));
    }

    @ParameterizedTest
    @EnumSource
    void memoryThatOnlyTheTrainingThreadMayReadIsCopiedByIt(CaptureMode mode) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            var state = new State(arena);
            try (Checkpoints checkpoints = open(mode)) {
                checkpoints.beforeUpdate();
                state.fill(5);
                checkpoints.afterStep(1, state);
                state.fill(9);
            }
        }
        assertThat(restored()).isEqualTo(filled(5));
    }

    @Test
    void fusedSavesAreOverBeforeTheUpdate() throws IOException {
        var state = new State(Arena.ofAuto());
        try (Checkpoints checkpoints = open(CaptureMode.FUSED)) {
            for (int step = 1; step <= 50; step++) {
                checkpoints.beforeUpdate();
                state.fill(step);
                checkpoints.awaitSave(); // However slow the machine is, no save is skipped.
                checkpoints.afterStep(step, state);
                state.forward(step + 1);
            }
        }
        assertThat(restored()).isEqualTo(filled(50));
        assertThat(events.stream().filter(Committed.class::isInstance)).hasSize(50);
        assertThat(events).noneMatch(SaveFailed.class::isInstance);
    }

    private Checkpoints open(CaptureMode mode) throws IOException {
        var options = CheckpointOptions.defaults()
                .withPolicy(new EverySteps(1))
                .withCapture(mode)
                .withoutLog()
                .withListener(events::add);
        return mode == CaptureMode.COPY
                ? Checkpoints.open(run, options, copying.threads())
                : Checkpoints.open(run, options);
    }

    /// Opens the latch when this thread waits for something.
    private static void whenWaiting(CountDownLatch release) {
        Thread training = Thread.currentThread();
        Thread.ofVirtual().start(() -> {
            Eventually.holds("the training waits", () -> training.getState() == Thread.State.WAITING);
            release.countDown();
        });
    }

    private List<Byte> restored() throws IOException {
        var state = new State(Arena.ofAuto());
        try (Checkpoints checkpoints =
                Checkpoints.open(run, CheckpointOptions.defaults().withoutLog())) {
            assertThat(checkpoints.restoreLatest(state).map(Checkpoint::step)).isPresent();
        }
        return state.values();
    }

    private static List<Byte> filled(int value) {
        var state = new State(Arena.ofAuto());
        state.fill(value);
        return state.values();
    }

    /// A tensor of every role, each filled with one value that changes with every step.
    private static final class State implements TrainingState {
        private final List<LiveTensor> tensors = new ArrayList<>();

        State(Arena arena) {
            for (Role role : Role.values()) {
                var spec = new TensorSpec(role.name(), ElementType.UINT8, List.of((long) BYTES), role);
                tensors.add(new LiveTensor(spec, arena.allocate(BYTES, 64)));
            }
        }

        void fill(int value) {
            tensors.forEach(tensor -> tensor.memory().fill((byte) value));
        }

        /// What a forward pass may change.
        void forward(int value) {
            for (LiveTensor tensor : tensors) {
                switch (tensor.spec().role()) {
                    case WEIGHT, FIRST_MOMENT, SECOND_MOMENT, OPTIMIZER -> {}
                    case BUFFER, RNG, CURSOR -> tensor.memory().fill((byte) value);
                }
            }
        }

        /// The value of each tensor; -1 where it has several.
        List<Byte> values() {
            return tensors.stream().map(LiveTensor::memory).map(State::value).toList();
        }

        private static byte value(MemorySegment memory) {
            byte first = memory.get(ValueLayout.JAVA_BYTE, 0);
            var expected = Arena.ofAuto().allocate(memory.byteSize()).fill(first);
            return memory.mismatch(expected) == -1 ? first : -1;
        }

        @Override
        public List<LiveTensor> tensors() {
            return tensors;
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty();
        }

        @Override
        public void restored(long step, Attributes attributes) {}
    }
}
