package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint.Kind;
import dev.cairn.checkpoint.capture.Aliases;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AliasTest {
    private static final int VALUES = 3000;

    @TempDir
    Path run;

    private final List<Checkpoint> committed = new ArrayList<>();
    private final MemorySegment embedding = values();
    private final MemorySegment other = values();
    private final MemorySegment output = values();

    @ParameterizedTest
    @CsvSource({"lossless, COPY", "lossless, FUSED", "full, COPY", "lossy, COPY", "lossy, FUSED"})
    void aTensorOfTwoNamesIsStoredOnceAndRestoredAsBoth(String codec, CaptureMode mode) throws IOException {
        TrainingState tied = state(embedding, other, embedding);
        train(codec, mode, tied, 5);
        var store = new CheckpointStore(new LocalBlobStore(run));
        for (Checkpoint checkpoint : committed) {
            List<TensorRef> refs = store.manifest(
                            store.history().find(checkpoint.id()).orElseThrow())
                    .tensors();
            assertThat(refs.get(2).firstBlock()).isEqualTo(refs.get(0).firstBlock());
            assertThat(refs.get(2).codec()).isEqualTo(refs.get(0).codec());
            assertThat(refs.get(1).firstBlock()).isNotEqualTo(refs.get(0).firstBlock());
            assertThat(checkpoint.fullBytes()).isEqualTo(2 * 4 * VALUES);
        }
        MemorySegment first = values();
        MemorySegment second = values();
        MemorySegment third = values();
        restore(state(first, second, third));
        assertThat(first.mismatch(embedding)).isEqualTo(-1);
        assertThat(second.mismatch(other)).isEqualTo(-1);
        assertThat(third.mismatch(embedding)).isEqualTo(-1);
        MemorySegment both = values();
        restore(state(both, second, both));
        assertThat(both.mismatch(embedding)).isEqualTo(-1);
    }

    @Test
    void aTensorThatIsTiedOrUntiedBeginsANewChain() throws IOException {
        try (Checkpoints checkpoints = open("lossless", CaptureMode.COPY)) {
            long step = 0;
            for (MemorySegment last : List.of(embedding, embedding, output, output, embedding)) {
                change(++step);
                checkpoints.afterStep(step, state(embedding, other, last));
                checkpoints.awaitSave();
            }
        }
        assertThat(committed)
                .extracting(Checkpoint::kind)
                .containsExactly(Kind.BASE, Kind.DELTA, Kind.BASE, Kind.DELTA, Kind.BASE);
    }

    @Test
    void memoryOfAnotherShapeTypeOrRoleOrOverlappingInPartIsNotTheSameTensor() {
        var memory = Arena.ofAuto().allocate(64, 64);
        var tensors = List.of(
                tensor("a", ElementType.FLOAT32, List.of(8L), Role.WEIGHT, memory.asSlice(0, 32)),
                tensor("b", ElementType.FLOAT32, List.of(2L, 4L), Role.WEIGHT, memory.asSlice(0, 32)),
                tensor("c", ElementType.INT32, List.of(8L), Role.WEIGHT, memory.asSlice(0, 32)),
                tensor("d", ElementType.FLOAT32, List.of(8L), Role.BUFFER, memory.asSlice(0, 32)),
                tensor("e", ElementType.FLOAT32, List.of(8L), Role.WEIGHT, memory.asSlice(16, 32)),
                tensor("f", ElementType.FLOAT32, List.of(0L), Role.WEIGHT, memory.asSlice(0, 0)),
                tensor("g", ElementType.FLOAT32, List.of(0L), Role.WEIGHT, memory.asSlice(0, 0)),
                tensor("h", ElementType.FLOAT32, List.of(8L), Role.WEIGHT, memory.asSlice(0, 32)),
                tensor("i", ElementType.UINT8, List.of(9L), Role.WEIGHT, MemorySegment.ofArray(new byte[9])),
                tensor("j", ElementType.UINT8, List.of(9L), Role.WEIGHT, MemorySegment.ofArray(new byte[9])));
        assertThat(Aliases.originals(tensors)).containsExactly(0, 1, 2, 3, 4, 5, 6, 0, 8, 9);
    }

    private void train(String codec, CaptureMode mode, TrainingState state, int steps) throws IOException {
        try (Checkpoints checkpoints = open(codec, mode)) {
            for (int step = 1; step <= steps; step++) {
                checkpoints.beforeUpdate();
                change(step);
                checkpoints.afterStep(step, state);
            }
            checkpoints.saveNow(steps, state);
        }
    }

    private void restore(TrainingState state) throws IOException {
        try (Checkpoints checkpoints = open("lossless", CaptureMode.COPY)) {
            assertThat(checkpoints.restoreLatest(state)).isPresent();
        }
    }

    private Checkpoints open(String codec, CaptureMode mode) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Codec.parse(codec))
                        .withCapture(mode)
                        .withRetention(Retention.parse("all"))
                        .withoutLog()
                        .withListener(event -> {
                            if (event instanceof CheckpointEvent.Committed saved) {
                                committed.add(saved.checkpoint());
                            }
                        }));
    }

    private void change(long step) {
        var random = new Random(step);
        for (MemorySegment memory : List.of(embedding, other, output)) {
            for (int i = 0; i < VALUES; i++) {
                float value = memory.getAtIndex(ValueLayout.JAVA_FLOAT, i);
                memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, value + 0.01f * (float) random.nextGaussian());
            }
        }
    }

    private static MemorySegment values() {
        return Arena.ofAuto().allocate(4L * VALUES, 64);
    }

    private static LiveTensor tensor(String name, ElementType type, List<Long> shape, Role role, MemorySegment memory) {
        return new LiveTensor(new TensorSpec(name, type, shape, role), memory);
    }

    private static TrainingState state(MemorySegment... memories) {
        var tensors = new ArrayList<LiveTensor>();
        for (MemorySegment memory : memories) {
            tensors.add(tensor("w" + tensors.size(), ElementType.FLOAT32, List.of((long) VALUES), Role.WEIGHT, memory));
        }
        return new TrainingState() {
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
        };
    }
}
