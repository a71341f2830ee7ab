package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The most natural state of a Java program lies in its arrays.
class HeapMemoryTest {
    /// More than a block of each type, and no multiple of anything.
    private static final int ELEMENTS = 20_003;

    private static final int STEPS = 4;

    /// Arrays of every kind; the last begins at an odd place.
    enum Array {
        DOUBLE,
        FLOAT,
        LONG,
        INT,
        SHORT,
        CHAR,
        BYTE,
        UNALIGNED;

        /// With room for so many bytes.
        MemorySegment of(int bytes) {
            return switch (this) {
                case DOUBLE -> MemorySegment.ofArray(new double[Math.ceilDiv(bytes, 8)]);
                case FLOAT -> MemorySegment.ofArray(new float[Math.ceilDiv(bytes, 4)]);
                case LONG -> MemorySegment.ofArray(new long[Math.ceilDiv(bytes, 8)]);
                case INT -> MemorySegment.ofArray(new int[Math.ceilDiv(bytes, 4)]);
                case SHORT -> MemorySegment.ofArray(new short[Math.ceilDiv(bytes, 2)]);
                case CHAR -> MemorySegment.ofArray(new char[Math.ceilDiv(bytes, 2)]);
                case BYTE -> MemorySegment.ofArray(new byte[bytes]);
                case UNALIGNED -> MemorySegment.ofArray(new byte[bytes + 3]).asSlice(3);
            };
        }
    }

    @TempDir
    Path run;

    /// Every kind of array with every way to store it that users have; what is there to compare, with one kind.
    static Stream<Arguments> arraysCodecsAndModes() {
        Stream<Arguments> usual = Stream.of(Array.values())
                .flatMap(array -> Stream.of("lossless", "lossy").flatMap(codec -> inBothModes(array, codec)));
        Stream<Arguments> others =
                Stream.of("full", "lc:3", "topn:0.1", "l2:4", "excp").flatMap(codec -> inBothModes(Array.FLOAT, codec));
        return Stream.concat(usual, others);
    }

    private static Stream<Arguments> inBothModes(Array array, String codec) {
        return Stream.of(CaptureMode.values()).map(mode -> Arguments.of(array, codec, mode));
    }

    @ParameterizedTest
    @MethodSource("arraysCodecsAndModes")
    void aStateInAnyArrayIsRestoredBitForBit(Array array, String codec, CaptureMode mode) throws IOException {
        List<LiveTensor> live = tensors(array);
        TrainingState state = TrainingState.of(live.toArray(LiveTensor[]::new));
        try (Checkpoints checkpoints = open(codec, mode)) {
            for (int step = 1; step <= STEPS; step++) {
                checkpoints.beforeUpdate();
                change(live, step);
                checkpoints.afterStep(step, state);
                checkpoints.awaitSave();
            }
            checkpoints.saveNow(STEPS, state);
            assertThat(checkpoints.statistics().failed()).isZero();
            assertThat(checkpoints.statistics().committed()).isEqualTo(STEPS + 1);
        }
        var store = new CheckpointStore(new LocalBlobStore(run));
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                        .ok())
                .isTrue();
        List<LiveTensor> restored = tensors(array);
        try (Checkpoints checkpoints = open(codec, mode)) {
            assertThat(checkpoints.restoreLatest(TrainingState.of(restored.toArray(LiveTensor[]::new))))
                    .map(Checkpoint::step)
                    .hasValue((long) STEPS);
        }
        for (int i = 0; i < live.size(); i++) {
            assertThat(restored.get(i).memory().mismatch(live.get(i).memory()))
                    .as("%s", live.get(i).spec())
                    .isEqualTo(-1);
        }
    }

    @Test
    void arraysAreTensorsOfTheirType() throws IOException {
        float[] weights = {1, 2, 3, 4, 5, 6};
        double[] mean = {0.5, 0.25};
        long[] seeds = {7, 8};
        int[] cursor = {9};
        TrainingState state = state(weights, mean, seeds, cursor);
        assertThat(state.tensors())
                .extracting(tensor -> tensor.spec().toString())
                .containsExactly("w float32[2, 3]", "tied float32[2, 3]", "m float64[2]", "s int64[2]", "c int32[1]");
        try (Checkpoints checkpoints = open("lossless", CaptureMode.COPY)) {
            checkpoints.saveNow(1, state);
        }
        float[] weightsAgain = new float[6];
        double[] meanAgain = new double[2];
        long[] seedsAgain = new long[2];
        int[] cursorAgain = new int[1];
        try (Checkpoints checkpoints = open("lossless", CaptureMode.COPY)) {
            Checkpoint checkpoint = checkpoints
                    .restoreLatest(state(weightsAgain, meanAgain, seedsAgain, cursorAgain))
                    .orElseThrow();
            assertThat(checkpoint.fullBytes()).as("one array of two names").isEqualTo(24 + 16 + 16 + 4);
        }
        assertThat(weightsAgain).isEqualTo(weights);
        assertThat(meanAgain).isEqualTo(mean);
        assertThat(seedsAgain).isEqualTo(seeds);
        assertThat(cursorAgain).isEqualTo(cursor);
    }

    private static TrainingState state(float[] weights, double[] mean, long[] seeds, int[] cursor) {
        return TrainingState.of(
                LiveTensor.of("w", Role.WEIGHT, weights, 2, 3),
                LiveTensor.of("tied", Role.WEIGHT, weights, 2, 3),
                LiveTensor.of("m", Role.FIRST_MOMENT, mean),
                LiveTensor.of("s", Role.RNG, seeds, 2),
                LiveTensor.of("c", Role.CURSOR, cursor));
    }

    private Checkpoints open(String codec, CaptureMode mode) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Yardstick.parse(codec))
                        .withCapture(mode)
                        .withoutLog());
    }

    /// One of each type and role that a codec treats in its own way; each a whole array or the front of one.
    private static List<LiveTensor> tensors(Array array) {
        var tensors = new ArrayList<LiveTensor>();
        var roles = new EnumMap<ElementType, List<Role>>(ElementType.class);
        for (ElementType type : ElementType.values()) {
            roles.put(type, type.isFloating() ? List.of(Role.WEIGHT, Role.SECOND_MOMENT) : List.of(Role.WEIGHT));
        }
        roles.put(ElementType.FLOAT32, List.of(Role.values()));
        roles.forEach((type, all) -> {
            for (Role role : all) {
                long elements = type.isFloating() ? ELEMENTS : 1001;
                var spec = new TensorSpec(type.label() + "." + role.label(), type, List.of(elements), role);
                MemorySegment memory = array.of((int) spec.sizeBytes());
                tensors.add(new LiveTensor(spec, memory.asSlice(0, spec.sizeBytes())));
            }
        });
        return tensors;
    }

    /// Numbers near those before, whatever the type makes of their bits.
    private static void change(List<LiveTensor> tensors, int step) {
        var random = new Random(step);
        for (LiveTensor tensor : tensors) {
            MemorySegment memory = tensor.memory();
            int size = tensor.spec().type().sizeBytes();
            for (long at = 0; at < memory.byteSize(); at += size) {
                float value = (float) Math.abs(1 + 0.01 * step * random.nextGaussian());
                switch (tensor.spec().type()) {
                    case FLOAT64 -> memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, value);
                    case FLOAT32 -> memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, value);
                    case FLOAT16 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(value));
                    default -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(2));
                }
            }
        }
    }
}
