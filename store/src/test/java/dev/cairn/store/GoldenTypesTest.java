package dev.cairn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A run that has a tensor of every type that version 5 knows, made by its [CheckpointWriter] and never made again.
class GoldenTypesTest {
    private static final List<ElementType> TYPES =
            List.copyOf(EnumSet.range(ElementType.FLOAT64, ElementType.FLOAT8_E8M0FNU));

    static List<Samples.Tensor> tensors() {
        return TYPES.stream()
                .map(type -> Samples.tensor(type.label(), type, List.of(2L, 3L), Role.WEIGHT, 5))
                .toList();
    }

    @Test
    void readsEveryTypeOfVersionFive() throws IOException, URISyntaxException {
        Path run = Path.of(
                Objects.requireNonNull(getClass().getResource("/golden/v5")).toURI());
        var store = new CheckpointStore(new LocalBlobStore(run));
        Checkpoint checkpoint = CheckpointStoreTest.checkpoints(store).getFirst();
        try (CheckpointReader reader = store.open(checkpoint)) {
            for (Samples.Tensor tensor : tensors()) {
                MemorySegment found =
                        MemorySegment.ofArray(new byte[(int) tensor.spec().sizeBytes()]);
                reader.read(tensor.spec(), found);
                assertThat(found.mismatch(tensor.bytes()))
                        .as(tensor.spec().name())
                        .isEqualTo(-1);
            }
        }
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                        .ok())
                .isTrue();
    }
}
