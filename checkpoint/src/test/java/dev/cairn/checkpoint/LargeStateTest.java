package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// States that are too large for an array or an `int`.
class LargeStateTest {
    /// The number of bytes and of elements: neither fits an `int`, and the last block is short.
    private static final long BYTES = (1L << 31) + 300_001;

    private static final List<Long> MARKS = List.of(0L, 1L << 20, (1L << 31) - 1, 1L << 31, BYTES - 1);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"lossless", "full"})
    @Tag("soak")
    void aTensorOverTwoGibibytesIsSavedAndRestored(String codec) throws IOException {
        long memory = availableMemory();
        long disk = Files.getFileStore(folder).getUsableSpace();
        assumeTrue(
                memory > 3 * BYTES && disk > 4 * BYTES,
                "a tensor over 2 GiB needs 6 GiB of memory and 8 GiB of disk: memory=%d disk=%d: not tested here"
                        .formatted(memory, disk));
        var spec = new TensorSpec("large", ElementType.UINT8, List.of(BYTES), Role.WEIGHT);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment live = arena.allocate(BYTES, 64);
            try (Checkpoints checkpoints = open(codec)) {
                for (int step = 1; step <= 2; step++) {
                    mark(live, step);
                    checkpoints.afterStep(step, state(List.of(new LiveTensor(spec, live))));
                    checkpoints.awaitSave();
                }
                assertThat(checkpoints.statistics().committed()).isEqualTo(2);
                live.fill((byte) -1);
                assertThat(checkpoints
                                .restoreLatest(state(List.of(new LiveTensor(spec, live))))
                                .map(Checkpoint::step))
                        .hasValue(2L);
            }
            assertMarked(live, 0, 2);
            mark(live, 0);
            assertThat(isZero(live)).as("all but the marks").isTrue();
        }
        assertRange(spec, (1L << 31) - 500, 1000);
        assertRange(spec, (1L << 31) - 300_000, 599_999);
        assertRange(spec, BYTES - 7, 7);
    }

    @Test
    void tenThousandTensorsAreSavedAndRestored() throws IOException {
        saveAndRestore(10_000);
    }

    /// A record of about fifteen megabytes.
    @Test
    @Tag("soak")
    void aHundredThousandTensorsAreSavedAndRestored() throws IOException {
        saveAndRestore(100_000);
    }

    private void saveAndRestore(int count) throws IOException {
        var tensors = new ArrayList<LiveTensor>();
        MemorySegment memory = Arena.ofAuto().allocate(count * 12L, 64);
        for (int i = 0; i < count; i++) {
            var spec = new TensorSpec(
                    "layers.%d.attention.weight".formatted(i), ElementType.FLOAT32, List.of(3L), Role.WEIGHT);
            tensors.add(new LiveTensor(spec, memory.asSlice(12L * i, 12)));
        }
        TrainingState state = state(tensors);
        try (Checkpoints checkpoints = open("lossless")) {
            for (int step = 1; step <= 3; step++) {
                memory.fill((byte) step);
                checkpoints.afterStep(step, state);
                checkpoints.awaitHousekeeping();
            }
            memory.fill((byte) 0);
            assertThat(checkpoints.restoreLatest(state).map(Checkpoint::step)).hasValue(3L);
            assertThat(checkpoints.statistics().committed()).isEqualTo(3);
        }
        assertThat(memory.mismatch(Arena.ofAuto().allocate(memory.byteSize()).fill((byte) 3)))
                .isEqualTo(-1);
        assertThat(StoreVerifier.verify(store(), Depth.FULL, _ -> {}).ok()).isTrue();
    }

    private Checkpoints open(String codec) throws IOException {
        return Checkpoints.open(
                folder.resolve("run"),
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Codec.parse(codec))
                        .withCapture(CaptureMode.FUSED));
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(folder.resolve("run")));
    }

    private static void mark(MemorySegment memory, int step) {
        for (long mark : MARKS) {
            memory.set(ValueLayout.JAVA_BYTE, mark, (byte) (step * 7));
        }
    }

    private void assertRange(TensorSpec spec, long offset, long length) throws IOException {
        Commit newest = ((Entry.Intact) store().entries().getLast()).checkpoint();
        MemorySegment part = Arena.ofAuto().allocate(length).fill((byte) -1);
        try (CheckpointReader reader = store().open(newest)) {
            reader.read(spec, offset, part);
        }
        assertMarked(part, offset, 2);
    }

    /// @param offset of the first byte within the tensor
    private static void assertMarked(MemorySegment part, long offset, int step) {
        for (long mark : MARKS) {
            if (mark >= offset && mark < offset + part.byteSize()) {
                assertThat(part.get(ValueLayout.JAVA_BYTE, mark - offset))
                        .as("mark %d", mark)
                        .isEqualTo((byte) (step * 7));
            }
        }
    }

    private static boolean isZero(MemorySegment memory) {
        long last = memory.byteSize() - 1;
        return memory.get(ValueLayout.JAVA_BYTE, 0) == 0
                && memory.asSlice(0, last).mismatch(memory.asSlice(1, last)) == -1;
    }

    private static long availableMemory() throws IOException {
        Path figures = Path.of("/proc/meminfo");
        if (!Files.exists(figures)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(figures)) {
            return lines.filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }

    private static TrainingState state(List<LiveTensor> tensors) {
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
