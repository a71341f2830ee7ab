package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Cuts;
import dev.cairn.store.Damage;
import dev.cairn.store.Role;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.Entry;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.Staged;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What some number of processes saved, each its part of the tensors, another number restores, bit for bit.
class RecutStateTest {
    private static final TensorSpec WEIGHT =
            new TensorSpec("weight", ElementType.FLOAT32, List.of(300L, 500L), Role.WEIGHT);
    private static final TensorSpec MOMENT =
            new TensorSpec("moment", ElementType.FLOAT32, List.of(300L, 500L), Role.SECOND_MOMENT);
    private static final TensorSpec BIAS = new TensorSpec("bias", ElementType.FLOAT64, List.of(77L), Role.WEIGHT);

    @TempDir
    Path run;

    private final MemorySegment weight = random(WEIGHT, 1);
    private final MemorySegment moment = random(MOMENT, 2);
    private final MemorySegment bias = random(BIAS, 3);

    /// The parts of some processes, or of one of them.
    private static final class CutState implements TrainingState {
        private final List<LiveTensor> tensors = new ArrayList<>();

        CutState(List<TensorSpec> specs) {
            specs.forEach(spec ->
                    tensors.add(new LiveTensor(spec, MemorySegment.ofArray(new byte[(int) spec.sizeBytes()]))));
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

    @BeforeEach
    void fitMoments() {
        // Second moments are never negative.
        for (long i = 3; i < moment.byteSize(); i += 4) {
            moment.set(ValueLayout.JAVA_BYTE, i, (byte) 0x3c);
            weight.set(ValueLayout.JAVA_BYTE, i, (byte) 0x3d);
        }
    }

    @Test
    void whatThreeSavedOneTwoAndFiveRestore() throws IOException {
        saveByThree(1);
        for (int readers : new int[] {1, 2, 5}) {
            List<TensorSpec> weights = Cuts.across(WEIGHT, 1, readers);
            List<TensorSpec> moments = Cuts.across(MOMENT, 0, readers);
            for (int rank = 0; rank < readers; rank++) {
                var state = new CutState(List.of(weights.get(rank), moments.get(rank), BIAS));
                assertThat(restore(state)).isEqualTo(1);
                assertHolds(state);
            }
        }
        var whole = new CutState(List.of(WEIGHT, MOMENT, BIAS));
        assertThat(restore(whole)).isEqualTo(1);
        assertHolds(whole);
    }

    /// One process that has all parts, cut otherwise: it goes on saving, deltas too, and a whole state restores them.
    @Test
    void aStateInPartsGoesOnAndIsRestoredWhole() throws IOException {
        saveByThree(1);
        var random = new Random(9);
        var specs = new ArrayList<TensorSpec>(List.of(BIAS));
        specs.addAll(Cuts.random(WEIGHT, 4, random));
        specs.addAll(Cuts.random(MOMENT, 2, random));
        var parts = new CutState(specs);
        CheckpointOptions options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(new Codec.Lossless());
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.restoreLatest(parts);
            assertHolds(parts);
            for (long step = 2; step <= 4; step++) {
                change(parts);
                checkpoints.saveNow(step, parts);
            }
        }
        var store = new CheckpointStore(new LocalBlobStore(run));
        assertThat(((Entry.Intact) store.currentEntries().getLast())
                        .checkpoint()
                        .parent())
                .as("a delta")
                .isNotNull();
        var whole = new CutState(List.of(WEIGHT, MOMENT, BIAS));
        assertThat(restore(whole)).isEqualTo(4);
        for (LiveTensor tensor : whole.tensors()) {
            assertThat(tensor.memory().mismatch(gathered(parts, tensor.spec())))
                    .as("%s", tensor.spec())
                    .isEqualTo(-1);
        }
    }

    @Test
    void aPartThatIsMissingIsNamed() throws IOException {
        List<TensorSpec> parts = Cuts.across(WEIGHT, 0, 3);
        save(1, List.of(List.of(parts.get(0)), List.of(parts.get(2))));
        assertThatThrownBy(() -> restore(new CutState(List.of(WEIGHT))))
                .isInstanceOf(StateMismatchException.class)
                .hasMessageContaining("missing in the checkpoint: " + parts.get(1));
        var there = new CutState(List.of(Cuts.part(WEIGHT, new long[] {210, 5}, new long[] {10, 400})));
        assertThat(restore(there)).isEqualTo(1);
        assertHolds(there);
    }

    @Test
    void whereAPartIsDamagedTheCheckpointBeforeIsRestored() throws IOException {
        saveByThree(1);
        saveByThree(2);
        var store = new CheckpointStore(new LocalBlobStore(run));
        var newest = ((Entry.Intact) store.currentEntries().getLast()).checkpoint();
        Damage.inTheMiddle(run.resolve(newest.segments().get(1).name()));
        var state = new CutState(List.of(WEIGHT, MOMENT, BIAS));
        assertThat(restore(state)).isEqualTo(1);
        assertHolds(state);
    }

    @Test
    void tensorsOfAnotherShapeDoNotFit() throws IOException {
        saveByThree(1);
        var wider = new TensorSpec("weight", ElementType.FLOAT32, List.of(300L, 501L), Role.WEIGHT);
        assertThatThrownBy(() -> restore(new CutState(List.of(wider, MOMENT, BIAS))))
                .isInstanceOf(StateMismatchException.class)
                .hasMessageContaining("stored as " + WEIGHT + ", live as " + wider);
    }

    private long restore(CutState state) throws IOException {
        try (Checkpoints checkpoints =
                Checkpoints.open(run, CheckpointOptions.defaults().withoutLog())) {
            return checkpoints.resume(state);
        }
    }

    private void saveByThree(long step) throws IOException {
        List<TensorSpec> weights = Cuts.across(WEIGHT, 0, 3);
        List<TensorSpec> moments = Cuts.across(MOMENT, 1, 3);
        save(
                step,
                List.of(
                        List.of(weights.get(0), moments.get(0)),
                        List.of(weights.get(1), BIAS, moments.get(1)),
                        List.of(weights.get(2), moments.get(2))));
    }

    private void save(long step, List<List<TensorSpec>> writers) throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(new CheckpointStore(new LocalBlobStore(run)), () -> {});
        var staged = new ArrayList<Staged>();
        for (List<TensorSpec> specs : writers) {
            staged.add(writer.stage(
                    "rank" + staged.size(),
                    new Contents(specs.stream()
                            .map(spec -> new Samples.Tensor(spec, saved(spec)))
                            .toList())));
        }
        writer.commit(Samples.description(step), staged);
    }

    /// What was saved of this tensor.
    private MemorySegment saved(TensorSpec spec) {
        return switch (spec.name()) {
            case "weight" -> Cuts.gather(List.of(WEIGHT), List.of(weight), spec);
            case "moment" -> Cuts.gather(List.of(MOMENT), List.of(moment), spec);
            default -> bias;
        };
    }

    private void assertHolds(CutState state) {
        for (LiveTensor tensor : state.tensors()) {
            assertThat(tensor.memory().mismatch(saved(tensor.spec())))
                    .as("%s", tensor.spec())
                    .isEqualTo(-1);
        }
    }

    private static MemorySegment gathered(CutState state, TensorSpec wanted) {
        List<LiveTensor> parts = state.tensors().stream()
                .filter(tensor -> tensor.spec().name().equals(wanted.name()))
                .toList();
        return Cuts.gather(
                parts.stream().map(LiveTensor::spec).toList(),
                parts.stream().map(LiveTensor::memory).toList(),
                wanted);
    }

    private static void change(CutState state) {
        for (LiveTensor tensor : state.tensors()) {
            for (long i = 0; i < tensor.memory().byteSize(); i += 40) {
                byte old = tensor.memory().get(ValueLayout.JAVA_BYTE, i);
                tensor.memory().set(ValueLayout.JAVA_BYTE, i, (byte) (old + 1));
            }
        }
    }

    private static MemorySegment random(TensorSpec spec, long seed) {
        byte[] bytes = new byte[(int) spec.sizeBytes()];
        new Random(seed).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }
}
