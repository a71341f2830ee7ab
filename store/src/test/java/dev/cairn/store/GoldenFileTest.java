package dev.cairn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.TakenOver;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.CheckpointStoreTest;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.Staged;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Reads a run of every format version, written once by the writer of that version ([#main]), bit for bit: every kind
/// of record, every element type, attributes of every kind, and a checkpoint of two writers.
class GoldenFileTest {
    private static final String VERSION = "v1";

    /// Writes the golden run of this version.
    ///
    /// @param args the folder, which must not exist
    public static void main(String[] args) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(Path.of(args[0])));
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 2);
        writer.commitFreshStart(Samples.TIME);
        Samples.commit(writer, 3);
        Samples.commit(writer, 4);
        writer.prune(java.util.Set.of(4L), Samples.TIME);
        store.log().append(new TakenOver(6, Samples.TIME, "process 1 on \"a\"", "process 2 on b"));
        writer = CheckpointWriter.open(store, () -> {});
        var description = new CheckpointWriter.Description(5, Samples.TIME, null, "full", attributes());
        var staged = new ArrayList<Staged>();
        for (int rank = 0; rank < 2; rank++) {
            staged.add(writer.stage("rank" + rank, new Contents(tensors(rank))));
        }
        writer.commit(description, staged);
        writer.writeTwins();
    }

    private static Attributes attributes() {
        return Samples.attributes(5)
                .with("bytes", Bytes.of(new byte[] {1, 0, -1}))
                .with("groups", List.of(Map.of("lr", 0.1, "params", List.of(0L, 1L)), Map.of()));
    }

    /// One tensor of every type, and a part of a tensor that both writers have.
    private static List<Samples.Tensor> tensors(int rank) {
        var part = new TensorSpec(
                "part",
                ElementType.FLOAT32,
                List.of(3L, 4L),
                Role.WEIGHT,
                new Extent(List.of(6L, 4L), List.of(3L * rank, 0L)));
        byte[] values = new byte[48];
        java.util.Arrays.fill(values, (byte) (rank + 1));
        return Stream.concat(
                        Stream.of(ElementType.values())
                                .map(type -> Samples.tensor(
                                        type.label() + rank, type, List.of(2L, 3L), Role.WEIGHT, 5 + rank)),
                        Stream.of(new Samples.Tensor(part, MemorySegment.ofArray(values))))
                .toList();
    }

    @Test
    void readsWhatEveryVersionWrote() throws IOException, URISyntaxException {
        Path run = Path.of(Objects.requireNonNull(getClass().getResource("/golden/" + VERSION))
                .toURI());
        var store = new CheckpointStore(new LocalBlobStore(run));
        List<Commit> checkpoints = CheckpointStoreTest.checkpoints(store);
        assertThat(checkpoints).extracting(Commit::step).containsExactly(4L, 5L);
        assertThat(Samples.matches(store, checkpoints.getFirst())).isTrue();
        assertThat(store.log().read(6)).isInstanceOf(LogRecord.TakenOver.class);
        Commit last = checkpoints.getLast();
        assertThat(last.attributes()).isEqualTo(attributes());
        try (CheckpointReader reader = store.open(last)) {
            for (Samples.Tensor tensor :
                    Stream.concat(tensors(0).stream(), tensors(1).stream()).toList()) {
                MemorySegment found =
                        MemorySegment.ofArray(new byte[(int) tensor.spec().sizeBytes()]);
                reader.read(tensor.spec(), found);
                assertThat(found.mismatch(tensor.bytes()))
                        .as(tensor.spec().name())
                        .isEqualTo(-1);
            }
        }
        var report = StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {});
        assertThat(report.ok()).isTrue();
        assertThat(report.checkpoints()).isEqualTo(3);
        assertThat(report.leftovers()).isEmpty();
    }
}
