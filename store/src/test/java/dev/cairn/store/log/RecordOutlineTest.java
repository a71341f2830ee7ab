package dev.cairn.store.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.Crc32c;
import dev.cairn.store.Attributes;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Samples;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordOutlineTest {
    @Test
    void anOutlineIsTheRecordItself() throws IOException {
        var store = new CheckpointStore(new MemoryBlobStore());
        Commit made = Samples.commit(CheckpointWriter.open(store, () -> {}), 3);
        Manifest manifest = store.manifest(made);
        byte[] bytes = RecordFormat.write(manifest);
        assertThat(RecordFormat.read("log/1", 1, bytes)).isEqualTo(made);
        assertThat(RecordFormat.manifest("log/1", 1, bytes)).isEqualTo(manifest);
        assertThat(manifest.tensors())
                .extracting(TensorRef::spec)
                .isEqualTo(Samples.tensors(3).stream().map(Samples.Tensor::spec).toList());
    }

    /// Texts in attributes do not disturb the search for the tensors.
    @ParameterizedTest
    @ValueSource(strings = {"\"tensors\":[", "]", "}]", "\\\"tensors\":[{", "[[[", "\\"})
    void textsMayLookLikeTensors(String text) throws IOException {
        var store = new CheckpointStore(new MemoryBlobStore());
        Attributes attributes = Attributes.empty().with("text", text).with("\"tensors\":[", text);
        var description = new CheckpointWriter.Description(3, Samples.TIME, null, "full", attributes);
        Commit made = Samples.commit(CheckpointWriter.open(store, () -> {}), description, Samples.tensors(3));
        assertThat(RecordFormat.read("log/1", 1, RecordFormat.write(store.manifest(made))))
                .isEqualTo(made);
    }

    @Test
    void keysMayBeInAnotherOrder() throws StoreException {
        byte[] bytes = framed("""
                {"type":"checkpoint","tensors":[],"number":1,"time":"2026-01-02T03:04:05Z","id":"00000000000000ff","step":3,\
                "codec":"full","digest":"0","fullBytes":0,\
                "attributes":{},"segments":[{"name":"segments/x.seg","id":"00000000000000aa","bytes":5208,\
                "contentBytes":1,"chunkBytes":512,"parityChunks":9,"indexCrc32c":"0","digest":"0"}]}""");
        assertThat(RecordFormat.read("log/1", 1, bytes))
                .isEqualTo(RecordFormat.manifest("log/1", 1, bytes).checkpoint());
    }

    @Test
    void senselessTensorsAreDamageOfTheManifest() throws StoreException {
        byte[] bytes = framed("""
                {"type":"checkpoint","number":1,"time":"2026-01-02T03:04:05Z","id":"00000000000000ff","step":3,\
                "codec":"full","digest":"0","fullBytes":0,"attributes":{},"segments":[],"tensors":[{}]}""");
        assertThat(((Commit) RecordFormat.read("log/1", 1, bytes)).step()).isEqualTo(3);
        assertThatThrownBy(() -> RecordFormat.manifest("log/1", 1, bytes)).isInstanceOf(DamagedException.class);
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
        var name = new SegmentName(12, "main", 0xffL);
        assertThat(name.file()).isEqualTo("segments/0000000012-main-00000000000000ff.seg");
        assertThat(SegmentName.parse(name.file())).isEqualTo(name);
        var other = new SegmentName(123_456_789_012L, "rank17", -1L);
        assertThat(SegmentName.parse(other.file())).isEqualTo(other);
        assertThat(other.withNumber(13).file()).isEqualTo("segments/0000000013-rank17-ffffffffffffffff.seg");
        assertThat(RunFiles.record(7)).isEqualTo("log/0000000007.rec");
        assertThat(RunFiles.isRecord("log/123456789012345.rec")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "segments/12-main-00000000000000ff.seg",
                "segments/0000000012-main-00000000000000FF.seg",
                "segments/0000000012-MAIN-00000000000000ff.seg",
                "segments/0000000012--00000000000000ff.seg",
                "segments/0000000012-a-b-00000000000000ff.seg",
                "segments/0000000012-abcdefghijabcdefghijabcdefghijabc-00000000000000ff.seg",
                "segments/0000000012-main-00000000000000f.seg",
                "segments/0000000012-main-00000000000000ff.tmp",
                "segments/0000000012-00000000000000ff.seg",
                "segment/0000000012-main-00000000000000ff.seg",
                "segments/00000000x2-main-00000000000000ff.seg",
                "segments/0000000000000012-main-00000000000000ff.seg",
                "segments/--.seg",
                "-"
            })
    void otherNamesAreNotOurs(String name) {
        assertThat(SegmentName.parse(name)).isNull();
        assertThat(RunFiles.isRecord(name)).isFalse();
    }

    /// A record of version 1 of this JSON.
    private static byte[] framed(String json) {
        String body = "cairn-record 1\n" + json + "\n";
        return (body + "crc32c " + Crc32c.text(Crc32c.of(body.getBytes(UTF_8))) + "\n").getBytes(UTF_8);
    }
}
