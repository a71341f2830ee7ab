package dev.cairn.store.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.Attributes;
import dev.cairn.store.Bytes;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Extent;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.Role;
import dev.cairn.store.Samples;
import dev.cairn.store.StoreException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.UnfitAttributesException;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordFormatTest {
    private static final String CHECKPOINT =
            "{\"type\":\"checkpoint\",\"number\":1,\"time\":\"2026-01-02T03:04:05Z\",\"id\":\"00000000000000ff\","
                    + "\"step\":3,\"codec\":\"full\",\"digest\":\"0\",\"fullBytes\":0,\"attributes\":{},\"segments\":[],\"tensors\":[]}";

    @Test
    void readsBackAnyRecord() throws StoreException {
        var checkpoint = new LogRecord.Commit(
                7,
                "00000000000000ff",
                3,
                Samples.TIME,
                new LogRecord.Parent("00000000000000aa", "0f"),
                "uq:0.5",
                "0e",
                3,
                1234,
                Samples.attributes(3)
                        .with("big", Long.MAX_VALUE)
                        .with("tiny", Double.MIN_VALUE)
                        .with("zero", -0.0),
                List.of(
                        new SegmentRef("segments/x.seg", 0xabcL, new ParityLayout(12, 512, 9), -1, "0d"),
                        new SegmentRef("segments/y.seg", -1, new ParityLayout(13, 512, 9), 1, "0c")));
        TensorSpec whole = Samples.tensors(1).get(1).spec();
        var part = new TensorSpec(
                "part",
                ElementType.FLOAT32,
                List.of(2L, 3L),
                Role.WEIGHT,
                new Extent(List.of(4L, 3L), List.of(2L, 0L)));
        var manifest = new Manifest(
                checkpoint,
                List.of(
                        new TensorRef(part, "uq:0.5", 1, 5, 3, OptionalDouble.empty()),
                        new TensorRef(whole, "uq:0.5", 0, 6, 77, OptionalDouble.of(0.0123))));
        assertThat(RecordFormat.manifest("log/7", 7, RecordFormat.write(manifest)))
                .isEqualTo(manifest);
        assertThat(RecordFormat.read("log/7", 7, RecordFormat.write(manifest))).isEqualTo(checkpoint);
        var start = new LogRecord.FreshStart(8, Samples.TIME);
        assertThat(RecordFormat.read("log/8", 8, RecordFormat.write(start))).isEqualTo(start);
        var taken = new LogRecord.TakenOver(9, Samples.TIME, "process 1 on \"a\"", "process 1 on b");
        assertThat(RecordFormat.read("log/9", 9, RecordFormat.write(taken))).isEqualTo(taken);
        var pruned = new LogRecord.Pruned(10, Samples.TIME, 8, List.of(9L));
        assertThat(RecordFormat.read("log/10", 10, RecordFormat.write(pruned))).isEqualTo(pruned);
        assertThatThrownBy(() -> RecordFormat.manifest("log/8", 8, RecordFormat.write(start)))
                .isInstanceOf(DamagedException.class);
    }

    /// A tree, as in a nested `state_dict`.
    @Test
    void attributesMayBeATree() throws IOException {
        var empty = new HashMap<String, @Nullable Object>();
        empty.put("foreach", null);
        Attributes tree = Attributes.empty()
                .with("bytes", Bytes.of(new byte[] {0, -1, 127}))
                .with("list", List.of(1L, 0.5, "text", true, List.of(), Map.of("map", Map.of("bytes", "not bytes"))))
                .with("group", Map.of("lr", 1e-3, "betas", List.of(0.9, 0.999), "empty", empty, "bytes", "AA=="));
        var store = new CheckpointStore(new MemoryBlobStore());
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Commit made = Samples.commit(
                writer, new CheckpointWriter.Description(1, Samples.TIME, null, "full", tree), Samples.tensors(1));
        Attributes read = store.manifest(made).checkpoint().attributes();
        assertThat(read).isEqualTo(tree);
        assertThat(read.bytes("bytes")).contains(Bytes.of(new byte[] {0, -1, 127}));
        assertThat(read.map("group").orElseThrow())
                .containsEntry("bytes", "AA==")
                .containsEntry("empty", empty);
        assertThatThrownBy(() -> read.list("list").orElseThrow().add("more"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> read.text("list")).isInstanceOf(UnfitAttributesException.class);
    }

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void everyTypeReadsBack(ElementType type) throws IOException {
        var store = new CheckpointStore(new MemoryBlobStore());
        Commit checkpoint = Samples.commit(
                CheckpointWriter.open(store, () -> {}),
                Samples.description(1),
                List.of(Samples.tensor("t", type, List.of(3L), Role.WEIGHT, 1)));
        byte[] record = RecordFormat.write(store.manifest(checkpoint));
        assertThat(new String(record, UTF_8)).startsWith("cairn-record 1\n");
        assertThat(RecordFormat.read("log/1", 1, record)).isEqualTo(checkpoint);
    }

    @Test
    void tellsANewerVersionFromDamage() {
        assertThatThrownBy(() -> RecordFormat.read("log/1", 1, framed("cairn-record 2\n{}\n")))
                .isInstanceOf(NewerFormatException.class)
                .hasMessageContaining("version=2");
        byte[] flipped = framed("cairn-record 1\n" + CHECKPOINT + "\n");
        flipped["cairn-record ".length()] = '2';
        assertThatThrownBy(() -> RecordFormat.read("log/1", 1, flipped)).isInstanceOf(DamagedException.class);
    }

    @Test
    void refusesARecordUnderAnotherNumber() {
        assertThatThrownBy(() -> RecordFormat.read("log/2", 2, framed("cairn-record 1\n" + CHECKPOINT + "\n")))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("number 1, but its file name says 2");
    }

    /// Records with a correct checksum and invalid content, from a malicious writer or a bug.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{}",
                "{\"type\":\"checkpoint\"}",
                "{\"type\":\"other\",\"number\":1,\"time\":\"2026-01-02T03:04:05Z\"}",
                "{\"type\":\"start\",\"number\":-1,\"time\":\"2026-01-02T03:04:05Z\"}",
                "{\"type\":\"start\",\"number\":1,\"time\":\"yesterday\"}",
                "{\"type\":\"start\",\"number\":1e300,\"time\":\"2026-01-02T03:04:05Z\"}",
                "{\"type\":\"start\",\"number\":1,\"number\":1,\"time\":\"2026-01-02T03:04:05Z\"}",
            })
    void refusesNonsense(String json) {
        assertDamaged(json);
    }

    @Test
    void refusesHostileCheckpoints() {
        assertThatCode(() -> RecordFormat.manifest("log/1", 1, framed("cairn-record 1\n" + CHECKPOINT + "\n")))
                .doesNotThrowAnyException();
        assertDamaged(CHECKPOINT.replace("\"attributes\":{}", "\"attributes\":{\"a\":{}}"));
        assertDamaged(CHECKPOINT.replace("\"attributes\":{}", "\"attributes\":{\"a\":{\"bytes\":\"?\"}}"));
        assertDamaged(CHECKPOINT.replace("\"attributes\":{}", "\"attributes\":{\"a\":{\"map\":{},\"b\":1}}"));
        assertDamaged(CHECKPOINT.replace(
                "\"attributes\":{}", "\"attributes\":{\"a\":" + "[".repeat(300) + "]".repeat(300) + "}"));
        assertDamaged(
                CHECKPOINT.replace(
                        "\"segments\":[]",
                        "\"segments\":[{\"name\":\"../../etc/x\",\"id\":\"00000000000000aa\",\"bytes\":1,\"indexCrc32c\":\"0\",\"digest\":\"0\"}]"));
        assertDamaged(CHECKPOINT.replace("\"tensors\":[]", "\"tensors\":[" + tensor("[9223372036854775807,9]") + "]"));
        assertDamaged(CHECKPOINT.replace("\"tensors\":[]", "\"tensors\":[" + tensor("[-1]") + "]"));
        assertDamaged(CHECKPOINT.replace("\"tensors\":[]", "\"tensors\":[" + tensor("[\"x\"]") + "]"));
        assertDamaged(CHECKPOINT.replace("\"tensors\":[]", "\"tensors\":" + "[".repeat(100_000)));
    }

    @Test
    void garbageIsATypedError() {
        for (int seed = 0; seed < 2000; seed++) {
            var random = new Random(seed);
            byte[] garbage = new byte[random.nextInt(200)];
            random.nextBytes(garbage);
            assertThatThrownBy(() -> RecordFormat.read("log/1", 1, garbage))
                    .as("seed %d", seed)
                    .isInstanceOf(DamagedException.class);
        }
    }

    private static String tensor(String shape) {
        return "{\"name\":\"w\",\"dtype\":\"float32\",\"role\":\"weight\",\"codec\":\"raw\",\"segment\":0,\"firstBlock\":0,"
                + "\"bytes\":1,\"shape\":"
                + shape + "}";
    }

    private static void assertDamaged(String json) {
        assertThatThrownBy(() -> RecordFormat.manifest("log/1", 1, framed("cairn-record 1\n" + json + "\n")))
                .as(json.length() > 200 ? json.substring(0, 200) : json)
                .isInstanceOf(DamagedException.class);
    }

    private static byte[] framed(String body) {
        return (body + "crc32c " + Crc32c.text(Crc32c.of(body.getBytes(UTF_8))) + "\n").getBytes(UTF_8);
    }
}
