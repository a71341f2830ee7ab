package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint.Kind;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Damage;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A training that restores a checkpoint while it runs, and continues.
class GoingBackTest {
    @TempDir
    Path run;

    private final List<Checkpoint> committed = new ArrayList<>();
    private final MemorySegment memory = Arena.ofAuto().allocate(5000);

    @Test
    void aCheckpointThatWasPassedOverIsNotBuiltOn() throws IOException {
        try (Checkpoints checkpoints = open(CaptureMode.COPY, "lossless")) {
            save(checkpoints, 1, memory);
            save(checkpoints, 2, memory);
            assertThat(committed.getLast().kind()).isEqualTo(Kind.DELTA);
            Path newest = run.resolve(new CheckpointStore(new LocalBlobStore(run))
                    .history()
                    .currentCheckpoints()
                    .getLast()
                    .segmentNames()
                    .getFirst());
            Damage.inTheMiddle(newest);
            assertThat(checkpoints.restoreLatest(state(memory)).map(Checkpoint::step))
                    .hasValue(1L);
            save(checkpoints, 3, memory);
        }
        assertThat(committed.getLast().kind()).isEqualTo(Kind.BASE);
        memory.fill((byte) 0);
        try (Checkpoints checkpoints = open(CaptureMode.COPY, "lossless")) {
            assertThat(checkpoints.restoreLatest(state(memory)).map(Checkpoint::step))
                    .hasValue(3L);
        }
        assertThat(memory.mismatch(filled(3))).isEqualTo(-1);
    }

    @Test
    void goingBackToTheLastSaveKeepsItsChain() throws IOException {
        try (Checkpoints checkpoints = open(CaptureMode.COPY, "lossless")) {
            save(checkpoints, 1, memory);
            checkpoints.restoreLatest(state(memory));
            save(checkpoints, 2, memory);
        }
        assertThat(committed).extracting(Checkpoint::kind).containsExactly(Kind.BASE, Kind.DELTA);
    }

    /// A capture must not write to the live tensors.
    @Test
    void fusedAndFullOnlyReadTheLiveTensors() throws IOException {
        memory.fill((byte) 7);
        try (Checkpoints checkpoints = open(CaptureMode.FUSED, "full")) {
            checkpoints.afterStep(1, state(memory.asReadOnly()));
            checkpoints.awaitSave();
            assertThat(checkpoints.statistics().committed()).isOne();
        }
    }

    private Checkpoints open(CaptureMode mode, String codec) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Codec.parse(codec))
                        .withCapture(mode)
                        .withoutLog()
                        .withListener(event -> {
                            if (event instanceof CheckpointEvent.Committed saved) {
                                committed.add(saved.checkpoint());
                            }
                        }));
    }

    private static void save(Checkpoints checkpoints, int step, MemorySegment memory) throws IOException {
        memory.copyFrom(filled(step));
        checkpoints.afterStep(step, state(memory));
        checkpoints.awaitSave();
    }

    private static MemorySegment filled(int step) {
        MemorySegment values = MemorySegment.ofArray(new byte[5000]);
        for (int i = 0; i < 5000; i++) {
            values.set(ValueLayout.JAVA_BYTE, i, (byte) (i % 100 == 0 ? i * step : i));
        }
        return values;
    }

    private static TrainingState state(MemorySegment memory) {
        var spec = new TensorSpec("bytes", ElementType.UINT8, List.of(5000L), Role.WEIGHT);
        return new TrainingState() {
            @Override
            public List<LiveTensor> tensors() {
                return List.of(new LiveTensor(spec, memory));
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
