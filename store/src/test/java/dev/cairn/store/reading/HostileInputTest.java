package dev.cairn.store.reading;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import dev.cairn.codec.Crc32c;
import dev.cairn.store.Damage;
import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.Samples;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.SegmentFormat;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Forged records and segments with correct checksums: a typed error each time, no memory beyond what the bytes
/// justify, and the other checkpoint stays good.
@Timeout(20)
public class HostileInputTest {
    private static final String RECORD = "log/0000000002.rec";
    private static final long MOST_BYTES = 64 << 20;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .build();

    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final CheckpointStore store = new CheckpointStore(blobs);
    private String segment = "";

    @BeforeEach
    void makeTwoCheckpoints() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 1);
        segment = Samples.commit(writer, 2).segments().getFirst().name();
    }

    static Stream<Arguments> records() {
        return Stream.of(
                hostile("path upwards", json -> segment(json).put("name", "../../etc/passwd")),
                hostile("absolute path", json -> segment(json).put("name", "/etc/passwd")),
                hostile("path within", json -> segment(json).put("name", "segments/../writer.lock")),
                hostile(
                        "the lock, which reading would set free",
                        json -> segment(json).put("name", "writer.lock")),
                hostile("a record as segment", json -> segment(json).put("name", "log/0000000001.rec")),
                hostile("no name", json -> segment(json).put("name", "")),
                hostile("long name", json -> segment(json).put("name", "segments/" + "a".repeat(100_000))),
                hostile("largest size", json -> segment(json).put("bytes", Long.MAX_VALUE)),
                hostile("negative size", json -> segment(json).put("bytes", -1)),
                hostile("size as text", json -> segment(json).put("bytes", "12")),
                hostile("no segments", json -> json.putArray("segments")),
                hostile("largest first block", json -> tensor(json).put("firstBlock", Long.MAX_VALUE)),
                hostile("negative first block", json -> tensor(json).put("firstBlock", -1)),
                hostile("segment of many", json -> tensor(json).put("segment", Integer.MAX_VALUE)),
                hostile("segment beyond int", json -> tensor(json).put("segment", 1L << 40)),
                hostile("largest tensor", json -> shape(json, "uint8", Long.MAX_VALUE)),
                hostile("tensor beyond long", json -> shape(json, "uint8", 1L << 40, 1L << 40)),
                hostile("nearly largest tensor", json -> shape(json, "float32", Long.MAX_VALUE / 4)),
                hostile("huge tensor", json -> shape(json, "float32", 1L << 38)),
                hostile("negative shape", json -> shape(json, "float32", -5)),
                hostile("unknown type", json -> tensor(json).put("dtype", "float128")),
                hostile("itself as parent", json -> parent(json, json.path("id").asText())),
                hostile("a parent's wrong id", json -> parent(json, "0000000000000000")),
                hostile("another number", json -> json.put("number", 1)),
                hostile("no number", json -> json.remove("number")),
                hostile("no time", json -> json.put("time", "yesterday")),
                hostile("id of no digits", json -> json.put("id", "../../../../../x")),
                hostile("long id", json -> json.put("id", "ab".repeat(1000))),
                hostile("unknown type of record", json -> json.put("type", "\u001b[2J")),
                hostile("nested attribute", json -> json.putObject("attributes").putObject("a")),
                hostile(
                        "attribute without name",
                        json -> json.putObject("attributes").put("", 1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("records")
    void aHostileRecordIsDamage(String what, Consumer<ObjectNode> change) throws IOException {
        ObjectNode json = (ObjectNode) JSON.readTree(lines()[1]);
        change.accept(json);
        put("cairn-record 1\n" + JSON.writeValueAsString(json) + "\n");
        assertRefused();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "", "x", "3 3", "99999999999999999999", "+3"})
    void aVersionThatNeverWasIsDamage(String version) throws IOException {
        put("cairn-record " + version + "\n" + lines()[1] + "\n");
        assertRefused();
    }

    @Test
    void aLaterVersionIsNotDamage() throws IOException {
        put("cairn-record 2\n" + lines()[1] + "\n");
        assertThat(store.entries().getLast())
                .isInstanceOfSatisfying(
                        Entry.Unreadable.class,
                        entry -> assertThat(entry.reason()).isInstanceOf(NewerFormatException.class));
    }

    @Test
    void parentsInACircleAreDamage() throws IOException {
        ObjectNode second = (ObjectNode) JSON.readTree(lines()[1]);
        ObjectNode third = second.deepCopy().put("number", 3).put("id", "00000000000000aa");
        parent(second, "00000000000000aa");
        parent(third, second.path("id").asText());
        put("cairn-record 1\n" + JSON.writeValueAsString(second) + "\n");
        blobs.blobs.put("log/0000000003.rec", sealed("cairn-record 1\n" + JSON.writeValueAsString(third) + "\n"));
        assertThat(StoreVerifier.verify(store, Depth.FULL, c -> {}).damaged())
                .extracting(StoreVerifier.DamagedFile::reason)
                .hasSize(2)
                .allSatisfy(reason -> assertThat(reason).contains("chain broken"));
    }

    @Test
    void deepNestingIsDamage() throws IOException {
        put("cairn-record 1\n" + "[".repeat(1_000_000) + "\n");
        assertRefused();
    }

    @Test
    void manyAttributesTakeNoTimeThatGrowsWithTheirSquare() throws IOException {
        ObjectNode json = (ObjectNode) JSON.readTree(lines()[1]);
        ObjectNode attributes = json.putObject("attributes");
        for (int i = 0; i < 200_000; i++) {
            attributes.put("attribute" + i, i);
        }
        put("cairn-record 1\n" + JSON.writeValueAsString(json) + "\n");
        assertThat(CheckpointStoreTest.checkpoints(store).getLast().attributes().asMap())
                .hasSize(200_000);
    }

    @Test
    void aBlockSizeThatNoWriterUsesIsDamage() throws IOException {
        byte[] bytes = content(segment).clone();
        MemorySegment file = MemorySegment.ofArray(bytes);
        file.set(SegmentFormat.U32, 12, 1 << 30);
        file.set(SegmentFormat.U32, 24, Crc32c.of(file.asSlice(0, 24)));
        blobs.blobs.put(segment, Damage.withNewParity(bytes));
        assertRefused();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1L << 20, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 61})
    void anAbsurdBlockCountIsDamage(long count) throws IOException {
        byte[] bytes = content(segment).clone();
        MemorySegment footer =
                MemorySegment.ofArray(bytes).asSlice(Damage.contentBytes(bytes) - SegmentFormat.FOOTER_BYTES);
        footer.set(SegmentFormat.U64, 0, count);
        footer.set(SegmentFormat.U32, 20, Crc32c.of(footer.asSlice(0, 20)));
        blobs.blobs.put(segment, Damage.withNewParity(bytes));
        assertRefused();
    }

    @Test
    void aSegmentOfVersionZeroIsDamage() throws IOException {
        byte[] bytes = content(segment).clone();
        MemorySegment file = MemorySegment.ofArray(bytes);
        file.set(SegmentFormat.U32, 8, 0);
        file.set(SegmentFormat.U32, 24, Crc32c.of(file.asSlice(0, 24)));
        blobs.blobs.put(segment, Damage.withNewParity(bytes));
        assertRefused();
    }

    @Test
    void changedTextWithARightChecksumIsATypedErrorOrARecord() throws IOException {
        changeText(500, 1);
    }

    @Test
    @Tag("hostile")
    @Timeout(300)
    void muchChangedTextWithARightChecksumIsATypedErrorOrARecord() throws IOException {
        changeText(50_000, 2);
    }

    @Test
    void changedBytesWithRightChecksumsAreTypedErrorsOrValues() throws IOException {
        changeBytes(1000, 3);
    }

    @Test
    @Tag("hostile")
    @Timeout(300)
    void manyChangedBytesWithRightChecksumsAreTypedErrorsOrValues() throws IOException {
        changeBytes(100_000, 4);
    }

    private void changeText(int rounds, long seed) throws IOException {
        var random = new Random(seed);
        String good = lines()[1];
        String[] pieces = {"-", "9".repeat(30), "\"", "{", "[", "null", "true", "1e999", "\\u0000", ",", ":", "../"};
        for (int round = 0; round < rounds; round++) {
            var text = new StringBuilder(good);
            for (int change = random.nextInt(3); change >= 0; change--) {
                int at = random.nextInt(text.length());
                int end = Math.min(text.length(), at + random.nextInt(12));
                text.replace(at, end, pieces[random.nextInt(pieces.length)]);
            }
            put("cairn-record 1\n" + text + "\n");
            assertTyped("seed %d, round %d".formatted(seed, round));
        }
    }

    /// Changes frames, tables or index, and corrects every checksum.
    private void changeBytes(int rounds, long seed) throws IOException {
        var random = new Random(seed);
        byte[] good = content(segment).clone();
        String record = lines()[1];
        String goodCrc = JSON.readTree(record)
                .path("segments")
                .path(0)
                .path("indexCrc32c")
                .asText();
        for (int round = 0; round < rounds; round++) {
            byte[] bytes = good.clone();
            int body = Damage.contentBytes(bytes) - SegmentFormat.FOOTER_BYTES - SegmentFormat.HEADER_BYTES;
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[SegmentFormat.HEADER_BYTES + random.nextInt(body)] = (byte) random.nextInt();
            }
            String crc = Crc32c.text(seal(bytes));
            blobs.blobs.put(segment, Damage.withNewParity(bytes));
            put("cairn-record 1\n" + record.replace(goodCrc, crc) + "\n");
            assertTyped("seed %d, round %d".formatted(seed, round));
        }
    }

    /// Sets the checksums of blocks, index and footer, as far as the index is valid. Returns the checksum of the
    /// index.
    public static int seal(byte[] segment) {
        MemorySegment file = MemorySegment.ofArray(segment).asSlice(0, Damage.contentBytes(segment));
        long footer = file.byteSize() - SegmentFormat.FOOTER_BYTES;
        long blocks = file.get(SegmentFormat.U64, footer);
        long index = footer - blocks * SegmentFormat.INDEX_ENTRY_BYTES;
        long offset = SegmentFormat.HEADER_BYTES;
        for (long entry = index; entry < footer; entry += SegmentFormat.INDEX_ENTRY_BYTES) {
            int length = file.get(SegmentFormat.U32, entry);
            if (length >= 0 && offset + length <= index) {
                file.set(SegmentFormat.U32, entry + 4, Crc32c.of(file.asSlice(offset, length)));
                offset += length;
            }
        }
        int crc = Crc32c.of(file.asSlice(index, footer - index));
        file.set(SegmentFormat.U32, footer + 8, crc);
        file.set(SegmentFormat.U32, footer + 20, Crc32c.of(file.asSlice(footer, 20)));
        return crc;
    }

    /// Verification and reading refuse the checkpoint; the other one can be read.
    private void assertRefused() throws IOException {
        long before = allocatedBytes();
        assertThat(StoreVerifier.verify(store, Depth.FULL, c -> {}).damaged()).hasSize(1);
        List<Commit> readable = CheckpointStoreTest.checkpoints(store);
        if (readable.size() == 2) {
            assertThatThrownBy(() -> readAll(readable.getLast())).isInstanceOf(DamagedException.class);
        }
        assertThat(Samples.matches(store, readable.getFirst())).isTrue();
        CheckpointWriter.open(store, () -> {});
        assertThat(allocatedBytes() - before).isLessThan(MOST_BYTES);
    }

    /// Every failure is a [StoreException].
    private void assertTyped(String context) throws IOException {
        long before = allocatedBytes();
        try {
            StoreVerifier.verify(store, Depth.FULL, c -> {});
            for (Commit checkpoint : CheckpointStoreTest.checkpoints(store)) {
                if (checkpoint.number() == 2) {
                    readAll(checkpoint);
                }
            }
        } catch (StoreException expected) {
            assertThat(expected).as(context).hasMessageNotContaining("\n");
        } catch (RuntimeException e) {
            throw new AssertionError(context, e);
        }
        assertThat(allocatedBytes() - before).as(context).isLessThan(MOST_BYTES);
    }

    /// Reads like a training, into existing memory.
    private void readAll(Commit checkpoint) throws IOException {
        MemorySegment memory = MemorySegment.ofArray(new byte[1 << 16]);
        try (CheckpointReader reader = store.open(checkpoint)) {
            for (var tensor : reader.manifest().tensors()) {
                if (tensor.spec().sizeBytes() <= memory.byteSize()) {
                    reader.read(tensor.spec(), memory.asSlice(0, tensor.spec().sizeBytes()));
                } else {
                    StoreVerifier.verify(store, checkpoint, Depth.CHECKSUMS);
                }
            }
        }
    }

    private static long allocatedBytes() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
    }

    private String[] lines() {
        return new String(content(RECORD), UTF_8).split("\n", -1);
    }

    private byte[] content(String file) {
        byte[] content = blobs.blobs.get(file);
        assertThat(content).isNotNull();
        return content;
    }

    private void put(String body) {
        Damage.record(blobs.blobs, 2, sealed(body));
    }

    private static byte[] sealed(String body) {
        return "%scrc32c %s\n"
                .formatted(body, Crc32c.text(Crc32c.of(body.getBytes(UTF_8))))
                .getBytes(UTF_8);
    }

    private static Arguments hostile(String what, Consumer<ObjectNode> change) {
        return Arguments.of(what, change);
    }

    private static ObjectNode segment(ObjectNode json) {
        return (ObjectNode) json.path("segments").path(0);
    }

    private static ObjectNode tensor(ObjectNode json) {
        return (ObjectNode) json.path("tensors").path(0);
    }

    private static void shape(ObjectNode json, String type, long... shape) {
        var array = tensor(json).put("dtype", type).putArray("shape");
        for (long dimension : shape) {
            array.add(dimension);
        }
    }

    private static void parent(ObjectNode json, String id) {
        json.putObject("parent").put("id", id).put("digest", json.path("digest").asText());
    }
}
