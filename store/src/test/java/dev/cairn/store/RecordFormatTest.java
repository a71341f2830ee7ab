package dev.cairn.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordFormatTest {
    private static final String CHECKPOINT =
            "{\"type\":\"checkpoint\",\"number\":1,\"time\":\"2026-01-02T03:04:05Z\",\"id\":\"00000000000000ff\","
                    + "\"step\":3,\"attributes\":{},\"segments\":[],\"tensors\":[]}";

    @Test
    void readsBackAnyRecord() throws StoreException {
        var checkpoint = new LogRecord.Checkpoint(
                7,
                "00000000000000ff",
                3,
                Samples.TIME,
                new LogRecord.Parent("00000000000000aa", "0f"),
                "uq:0.5",
                "0e",
                3,
                Samples.attributes(3)
                        .with("big", Long.MAX_VALUE)
                        .with("tiny", Double.MIN_VALUE)
                        .with("zero", -0.0),
                List.of(new LogRecord.SegmentRef("segments/x.seg", 12, -1)),
                List.of(
                        new LogRecord.TensorRef(Samples.tensors(1).getFirst().spec(), "uq:0.5", 0, 5),
                        new LogRecord.TensorRef(
                                Samples.tensors(1).get(1).spec(),
                                "uq:0.5",
                                0,
                                6,
                                OptionalLong.of(77),
                                OptionalDouble.of(0.0123))));
        assertThat(RecordFormat.read("log/7", 7, RecordFormat.write(checkpoint)))
                .isEqualTo(checkpoint);
        var start = new LogRecord.FreshStart(8, Samples.TIME);
        assertThat(RecordFormat.read("log/8", 8, RecordFormat.write(start))).isEqualTo(start);
        var taken = new LogRecord.TakenOver(9, Samples.TIME, "process 1 on \"a\"", "process 1 on b");
        assertThat(RecordFormat.read("log/9", 9, RecordFormat.write(taken))).isEqualTo(taken);
    }

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void onlyTensorsOfLaterTypesNeedANewerReader(ElementType type) throws IOException {
        CheckpointWriter writer = new CheckpointStore(new MemoryBlobStore()).writer(() -> {});
        Checkpoint checkpoint =
                writer.commit(Samples.description(1), List.of(Samples.tensor("t", type, List.of(3L), Role.WEIGHT, 1)));
        byte[] record = RecordFormat.write(checkpoint);
        assertThat(new String(record, UTF_8))
                .startsWith(type.compareTo(ElementType.BOOL) <= 0 ? "cairn-record 3\n" : "cairn-record 5\n");
        assertThat(RecordFormat.read("log/1", 1, record)).isEqualTo(checkpoint);
    }

    @Test
    void onlyATakeOverNeedsANewerReader() {
        var start = new LogRecord.FreshStart(8, Samples.TIME);
        assertThat(new String(RecordFormat.write(start), UTF_8)).startsWith("cairn-record 3\n");
        var taken = new LogRecord.TakenOver(9, Samples.TIME, "a", "b");
        String text = new String(RecordFormat.write(taken), UTF_8);
        assertThat(text).startsWith("cairn-record 4\n");
        String body = text.substring(0, text.indexOf("crc32c")).replace("cairn-record 4", "cairn-record 3");
        assertThatThrownBy(() -> RecordFormat.read("log/9", 9, framed(body)))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("unknown record type");
    }

    @Test
    void tellsANewerVersionFromDamage() {
        assertThatThrownBy(() -> RecordFormat.read("log/1", 1, framed("cairn-record 6\n{}\n")))
                .isInstanceOf(NewerFormatException.class)
                .hasMessageContaining("version=6");
        byte[] flipped = framed("cairn-record 1\n" + CHECKPOINT + "\n");
        flipped["cairn-record ".length()] = '6';
        assertThatThrownBy(() -> RecordFormat.read("log/1", 1, flipped)).isInstanceOf(DamagedException.class);
    }

    @Test
    void refusesARecordUnderAnotherNumber() {
        assertThatThrownBy(() -> RecordFormat.read("log/2", 2, framed("cairn-record 1\n" + CHECKPOINT + "\n")))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("number 1 under the name of 2");
    }

    /// Records whose checksum is right and whose content is nonsense: a hostile writer's, or a bug's.
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
        assertDamaged(CHECKPOINT.replace("\"attributes\":{}", "\"attributes\":{\"a\":[1]}"));
        assertDamaged(CHECKPOINT.replace(
                "\"segments\":[]", "\"segments\":[{\"name\":\"../../etc/x\",\"bytes\":1,\"indexCrc32c\":\"0\"}]"));
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
        return "{\"name\":\"w\",\"dtype\":\"float32\",\"role\":\"weight\",\"segment\":0,\"firstBlock\":0,\"shape\":"
                + shape + "}";
    }

    private static void assertDamaged(String json) {
        assertThatThrownBy(() -> RecordFormat.read("log/1", 1, framed("cairn-record 1\n" + json + "\n")))
                .as(json.length() > 200 ? json.substring(0, 200) : json)
                .isInstanceOf(DamagedException.class);
    }

    private static byte[] framed(String body) {
        return (body + "crc32c " + Crc32c.text(Crc32c.of(body.getBytes(UTF_8))) + "\n").getBytes(UTF_8);
    }
}
