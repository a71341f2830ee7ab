package dev.cairn.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.Crc32c;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordOutlineTest {
    @Test
    void anOutlineIsTheRecordItself() throws IOException {
        var store = new CheckpointStore(new MemoryBlobStore());
        Checkpoint made = Samples.commit(store.writer(() -> {}), 3);
        byte[] bytes = RecordFormat.write(made);
        LogRecord outline = outline(bytes);
        assertThat(outline).isEqualTo(made).isEqualTo(RecordFormat.read("log/1", 1, bytes));
        assertThat(((Checkpoint) outline).fullBytes()).isEqualTo(made.fullBytes());
        assertThat(store.outline().current()).isEqualTo(store.history().current());
        assertThat(store.whole((Checkpoint) outline)).isEqualTo(made);
    }

    /// What people put into attributes does not lead the search for the tensors astray.
    @ParameterizedTest
    @ValueSource(strings = {"\"tensors\":[", "]", "}]", "\\\"tensors\":[{", "[[[", "\\"})
    void textsMayLookLikeTensors(String text) throws IOException {
        var store = new CheckpointStore(new MemoryBlobStore());
        Attributes attributes = Attributes.empty().with("text", text).with("\"tensors\":[", text);
        var description = new CheckpointWriter.Description(3, Samples.TIME, null, "full", attributes);
        Checkpoint made = store.writer(() -> {}).commit(description, Samples.tensors(3));
        assertThat(outline(RecordFormat.write(made))).isEqualTo(made);
    }

    @Test
    void keysInAnotherOrderAreReadAsAWhole() throws StoreException {
        byte[] bytes = framed("""
                {"type":"checkpoint","tensors":[],"number":1,"time":"2026-01-02T03:04:05Z","id":"00000000000000ff","step":3,\
                "attributes":{},"segments":[{"name":"segments/x.seg","bytes":1,"indexCrc32c":"0"}]}""");
        assertThat(outline(bytes)).isEqualTo(RecordFormat.read("log/1", 1, bytes));
    }

    @Test
    void senselessTensorsAreToldWhenTheyAreAskedFor() throws StoreException {
        byte[] bytes = framed("""
                {"type":"checkpoint","number":1,"time":"2026-01-02T03:04:05Z","id":"00000000000000ff","step":3,\
                "attributes":{},"segments":[],"tensors":[{}]}""");
        var outline = (Checkpoint) outline(bytes);
        assertThat(outline.step()).isEqualTo(3);
        assertThatThrownBy(() -> outline.tensors().size())
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(DamagedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-02T03:04:05Z",
                "2026-12-31T23:59:59.999Z",
                "1970-01-01T00:00:00Z",
                "2024-02-29T12:00:00.001Z",
                "2026-01-02T03:04:05.123456Z",
                "-0001-01-02T03:04:05Z",
                "+12026-01-02T03:04:05Z",
                "2026-01-02T03:04:05+01:00"
            })
    void timesAreWhatInstantMakesOfThem(String text) {
        assertThat(RecordTime.parse(text)).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-01-02",
                "2026-13-02T03:04:05Z",
                "2026-02-30T03:04:05Z",
                "2026-01-02T25:04:05Z",
                "2026-01-02T03:04:05.x23Z",
                "2026-01-02 03:04:05Z"
            })
    void whatIsNoTimeIsRefused(String text) {
        assertThatThrownBy(() -> RecordTime.parse(text)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void namesAreReadAsTheyAreWritten() {
        String name = SegmentName.of(12, 0xffL, "");
        assertThat(name).isEqualTo("segments/0000000012-00000000000000ff.seg");
        assertThat(SegmentName.parse(name)).isEqualTo(new SegmentName(12, "00000000000000ff"));
        String merged = SegmentName.of(123_456_789_012L, -1L, "-0123abcd");
        assertThat(SegmentName.parse(merged)).isEqualTo(new SegmentName(123_456_789_012L, "ffffffffffffffff"));
        assertThat(CommitLog.name(7)).isEqualTo("log/0000000007.rec");
        assertThat(CommitLog.isRecord("log/123456789012345.rec")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "segments/12-00000000000000ff.seg",
                "segments/0000000012-00000000000000FF.seg",
                "segments/0000000012-00000000000000ff-0123abc.seg",
                "segments/0000000012-00000000000000ff+0123abcd.seg",
                "segments/0000000012-00000000000000f.seg",
                "segments/0000000012-00000000000000ff.tmp",
                "segment/0000000012-00000000000000ff.seg",
                "segments/00000000x2-00000000000000ff.seg",
                "segments/0000000000000012-00000000000000ff.seg",
                "segments/-.seg",
                "-"
            })
    void otherNamesAreNotOurs(String name) {
        assertThat(SegmentName.parse(name)).isNull();
        assertThat(CommitLog.isRecord(name)).isFalse();
    }

    private static LogRecord outline(byte[] bytes) throws StoreException {
        return RecordFormat.outline("log/1", 1, bytes, () -> RecordFormat.read("log/1", 1, bytes));
    }

    /// A record of version 1 of this JSON.
    private static byte[] framed(String json) {
        String body = "cairn-record 1\n" + json + "\n";
        return (body + "crc32c " + Crc32c.text(Crc32c.of(body.getBytes(UTF_8))) + "\n").getBytes(UTF_8);
    }
}
