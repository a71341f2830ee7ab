package dev.cairn.formats.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.formats.Allocation;
import dev.cairn.formats.Samples;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Made-up bundles with correct checksums in the index.
@Timeout(20)
class HostileBundleTest {
    private static final byte[] DATA = new byte[8];
    private static final int UINT8 = 4;
    private static final int FLOAT = 1;

    static Stream<Arguments> entries() {
        List<Long> eight = List.of(8L);
        return Stream.of(
                entries("size of 2^63", entry(UINT8, eight, 0, 0, Long.MIN_VALUE)),
                entries("size of 2^63 - 1", entry(UINT8, List.of(Long.MAX_VALUE), 0, 0, Long.MAX_VALUE)),
                entries("offset and size that overflow", entry(UINT8, eight, 0, Long.MAX_VALUE - 3, 8)),
                entries("negative offset", entry(UINT8, eight, 0, -8, 8)),
                entries("beyond the end", entry(UINT8, eight, 0, 1, 8)),
                entries("empty beyond the end", entry(UINT8, List.of(0L), 0, 9, 0)),
                entries("another size", entry(UINT8, List.of(7L), 0, 0, 8)),
                entries("another type's size", entry(FLOAT, eight, 0, 0, 8)),
                entries("data file 1 of 1", entry(UINT8, eight, 1, 0, 8)),
                entries("data file -1", entry(UINT8, eight, -1, 0, 8)),
                entries("data file 2^32", entry(UINT8, eight, 1L << 32, 0, 8)),
                entries("negative shape", entry(UINT8, List.of(-8L), 0, 0, 8)),
                entries("negative twice", entry(UINT8, List.of(-2L, -4L), 0, 0, 8)),
                entries("overflow", entry(UINT8, List.of(1L << 32, 1L << 32), 0, 0, 0)),
                entries("overflow to 8", entry(UINT8, List.of(Long.MAX_VALUE, Long.MAX_VALUE, 8L), 0, 0, 8)),
                entries("overflow beside a zero", entry(UINT8, List.of(0L, Long.MAX_VALUE, 9L), 0, 0, 0)),
                entries("dimensions", entry(UINT8, Collections.nCopies(255, 1L), 0, 0, 1)),
                entries("overlap", entry(UINT8, List.of(5L), 0, 0, 5), entry(UINT8, List.of(4L), 0, 4, 4)),
                entries("the same bytes", entry(UINT8, eight, 0, 0, 8), entry(UINT8, eight, 0, 0, 8)),
                entries(
                        "overlap beyond an empty one",
                        entry(UINT8, eight, 0, 0, 8),
                        entry(UINT8, List.of(0L), 0, 3, 0),
                        entry(UINT8, List.of(2L), 0, 4, 2)),
                entries("a number of eleven bytes", bytes(0x20, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1)),
                entries("a number of 70 bits", bytes(0x20, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2)),
                entries("a number that ends early", bytes(0x20, -1)),
                entries("a message that ends early", bytes(0x12, 100)),
                entries("a message of 2^63 bytes", bytes(0x12, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1)),
                entries("a group", bytes(0x0b)),
                entries("unknown shape", bytes(0x08, 4, 0x12, 2, 0x18, 1)),
                entries("another checksum", entry(UINT8, List.of(0L), 0, 0, 0, 1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("entries")
    void aHostileEntryIsDamage(String what, List<byte[]> entries) {
        var rows = new ArrayList<Map.Entry<String, byte[]>>();
        rows.add(header());
        for (byte[] entry : entries) {
            rows.add(Map.entry("tensor" + rows.size(), entry));
        }
        assertDamage(Tables.table(rows));
    }

    static Stream<Arguments> tables() {
        byte[] tensor = entry(UINT8, List.of(8L), 0, 0, 8);
        byte[] empty = entry(UINT8, List.of(0L), 0, 0, 0);
        byte[] sound = Tables.table(List.of(header(), Map.entry("a", tensor)));
        return Stream.of(
                table("no header", Tables.table(List.of(Map.entry("a", tensor)))),
                table("a name twice", Tables.table(List.of(header(), Map.entry("a", empty), Map.entry("a", empty)))),
                table("not in order", Tables.table(List.of(header(), Map.entry("b", empty), Map.entry("a", empty)))),
                table("header twice", Tables.table(List.of(header(), header()))),
                table("parts of no variable", Tables.table(List.of(header(), Map.entry("\0\1a", tensor)))),
                table("no data files", Tables.table(List.of(Map.entry("", bytes(0x08, 0))))),
                table("-1 data files", Tables.table(List.of(Map.entry("", bytes(0x08, -1, -1, -1, -1, 0x0f))))),
                table("no UTF-8", raw(0, row(0, bytes(), headerBytes()), row(0, bytes(0xc0, 0x20), tensor))),
                table("no rows", Tables.table(Tables.block(new WireOutput(), List.of(0)))),
                table("nothing", Tables.table(new byte[0])),
                table(
                        "shared beyond the key before",
                        raw(0, row(0, bytes(), headerBytes()), row(9, bytes('a'), empty))),
                table("shared at the beginning", raw(0, row(1, bytes(), headerBytes()))),
                table("shared 2^31", raw(0, row(0, bytes(), headerBytes()), row(1 << 31, bytes('a'), empty))),
                table("restart out of range", raw(1000, row(0, bytes(), headerBytes()))),
                table("restart within a row", raw(1, row(0, bytes(), headerBytes()))),
                table("restart of 2^32 - 1", raw(-1, row(0, bytes(), headerBytes()))),
                table("restarts of 2^32 - 1", Tables.table(bytes(0, 0, 0, 0, 0, -1, -1, -1, -1))),
                table("key beyond the block", Tables.table(bytes(0, 100, 0, 0, 0, 0, 0, 1, 0, 0, 0))),
                table("value beyond the block", Tables.table(bytes(0, 0, 100, 0, 0, 0, 0, 1, 0, 0, 0))),
                table("value of 2^63", raw(0, bytes(0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1))),
                table("block beyond the end", handle(0, 1 << 20)),
                table("block of 2^63 bytes", handle(0, Long.MIN_VALUE)),
                table("block at 2^63 - 1", handle(Long.MAX_VALUE, 8)),
                table(
                        "block of another kind",
                        Tables.table(new byte[4], (byte) 2, Tables.indexBlock(List.of(bytes(0, 4))))),
                table("wrong magic", changed(sound, sound.length - 1)),
                table("wrong checksum of a block", changed(sound, 3)),
                table("wrong place of the index", changed(sound, sound.length - 46)),
                table("less than a footer", new byte[47]),
                table("nothing but a footer", Arrays.copyOfRange(sound, sound.length - 48, sound.length)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    void aHostileTableIsDamage(String what, byte[] table) {
        assertDamage(table);
    }

    /// Without this check, a small index would make a reader read a large block many times.
    @Test
    void aBlockIsNotReadTwice() {
        var content = new WireOutput();
        Tables.row(content, 0, bytes(), headerBytes());
        byte[] block = Tables.block(content, List.of(0));
        byte[] index = Tables.indexBlock(Collections.nCopies(1000, Tables.handle(0, block.length)));
        assertThatThrownBy(() -> Tables.open(Tables.table(block, (byte) 0, index), DATA))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("block at 0, but the previous block ends at");
    }

    /// Each name takes one more byte in the file, and 60,000 in memory.
    @Test
    void namesThatShareMuchAreBounded() {
        var content = new WireOutput();
        Tables.row(content, 0, bytes(), headerBytes());
        byte[] name = new byte[60_000];
        Arrays.fill(name, (byte) 'a');
        Tables.row(content, 0, name, entry(UINT8, List.of(0L), 0, 0, 0));
        for (int i = 0; i < 5000; i++) {
            Tables.row(content, 60_000 + i, bytes('a'), entry(UINT8, List.of(0L), 0, 0, 0));
        }
        byte[] table = Tables.table(Tables.block(content, List.of(0)));
        long before = Allocation.ofThread();
        assertThatThrownBy(() -> Tables.open(table, DATA)).isInstanceOf(UnsupportedException.class);
        assertThat(Allocation.ofThread() - before).isLessThan(500 << 20);
    }

    @ParameterizedTest
    @CsvSource({"11, qint8", "13, qint32", "18, complex128", "20, resource", "21, variant", "30, uint4", "99, number 99"
    })
    void aTypeThatCairnDoesNotHoldIsNamedWithItsTensor(int type, String label) {
        byte[] table = Tables.table(List.of(header(), Map.entry("conv1", entry(type, List.of(8L), 0, 0, 8))));
        assertThatThrownBy(() -> Tables.open(table, DATA))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor conv1 has TensorFlow's type " + label);
    }

    @Test
    void whatTensorFlowDoesNotWriteIsNamed() {
        byte[] sliced = Tables.table(List.of(header(), Map.entry("v", bytes(0x08, 4, 0x3a, 0))));
        assertThatThrownBy(() -> Tables.open(sliced, DATA))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor v is stored in 1 parts");
        byte[] big = Tables.table(List.of(Map.entry("", bytes(0x08, 1, 0x10, 1))));
        assertThatThrownBy(() -> Tables.open(big, DATA))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("big-endian");
        byte[] later = Tables.table(List.of(Map.entry("", bytes(0x08, 1, 0x1a, 2, 0x10, 2))));
        assertThatThrownBy(() -> Tables.open(later, DATA))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("version 2");
        byte[] snappy = Tables.table(new byte[8], (byte) 1, Tables.indexBlock(List.of(bytes(0, 8))));
        assertThatThrownBy(() -> Tables.open(snappy, DATA))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("compressed");
    }

    @Test
    void whatTheFormatAllowsIsRead() throws IOException {
        // Unknown fields, bytes that belong to no tensor, and rows that are not in the order of their bytes.
        var later = new WireOutput();
        later.bytes(entry(UINT8, List.of(2L), 0, 5, 2, MaskedCrc.of(new byte[2])));
        later.message(100, bytes(1, 2, 3));
        later.number(101, 7);
        byte[] table = Tables.table(List.of(
                header(),
                Map.entry("a", later.toBytes()),
                Map.entry("b", entry(UINT8, List.of(1L, 3L), 0, 1, 3, MaskedCrc.of(new byte[3]))),
                Map.entry("none", entry(UINT8, List.of(0L), 0, 8, 0)),
                Map.entry("text", entry(BundleTypes.STRING, List.of(), 0, 0, 1))));
        try (TensorFile file = Tables.open(table, DATA)) {
            assertThat(file.tensors()).extracting(NamedTensor::name).containsExactly("b", "a", "none");
            assertThat(Samples.read(file)).hasSize(3);
            assertThat(file.notes()).containsExactly("text tensor text");
        }
    }

    @Test
    void aWrongByteIsFoundAtTheEndOfItsTensor() throws IOException {
        byte[] table = Tables.table(List.of(header(), Map.entry("a", entry(UINT8, List.of(8L), 0, 0, 8))));
        try (TensorFile file = Tables.open(table, DATA)) {
            assertThatThrownBy(() -> Samples.read(file))
                    .isInstanceOf(DamagedFileException.class)
                    .hasMessageContainingAll("tensor a", "expected masked crc32c=00000001");
        }
    }

    @Test
    void aDataFileThatIsMissingOrShortIsDamage(@TempDir Path folder) throws IOException {
        var tensors = Samples.tensors(Samples.types(TensorFormat.BUNDLE), 1);
        Path file = Samples.write(TensorFormat.BUNDLE, folder.resolve("file"), tensors, Samples.NO_METADATA);
        Path data = TensorFormat.BUNDLE.files(file).getFirst();
        Files.write(data, Arrays.copyOf(Files.readAllBytes(data), 1000));
        assertThatThrownBy(() -> TensorFormat.BUNDLE.open(file))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("in a data file of 1000");
        Files.delete(data);
        assertThatThrownBy(() -> TensorFormat.BUNDLE.open(file))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("file.data-00000-of-00001 is missing");
        Files.write(
                TensorFormat.BUNDLE.files(file).getLast(),
                Tables.table(List.of(
                        Map.entry("", new BundleHeader(Integer.MAX_VALUE).toBytes()),
                        Map.entry("a", entry(UINT8, List.of(8L), 9, 0, 8)))));
        assertThatThrownBy(() -> TensorFormat.BUNDLE.open(file))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("file.data-00009-of-2147483647 is missing");
    }

    private static void assertDamage(byte[] table) {
        assertThatThrownBy(() -> Tables.open(table, DATA))
                .isInstanceOf(DamagedFileException.class)
                .message()
                .hasLineCount(1)
                .hasSizeLessThan(500);
    }

    private static Map.Entry<String, byte[]> header() {
        return Map.entry("", headerBytes());
    }

    private static byte[] headerBytes() {
        return new BundleHeader(1).toBytes();
    }

    private static byte[] entry(int type, List<Long> shape, long shard, long offset, long size) {
        return entry(type, shape, shard, offset, size, size == 0 ? MaskedCrc.mask(0) : 1);
    }

    private static byte[] entry(int type, List<Long> shape, long shard, long offset, long size, int crc) {
        return new BundleEntry(type, shape, shard, offset, size, crc, 0).toBytes();
    }

    private static Arguments entries(String what, byte[]... entries) {
        return Arguments.of(what, List.of(entries));
    }

    private static Arguments table(String what, byte[] table) {
        return Arguments.of(what, table);
    }

    /// A table of one block with these rows.
    private static byte[] raw(int restart, byte[]... rows) {
        var content = new WireOutput();
        for (byte[] row : rows) {
            content.bytes(row);
        }
        return Tables.table(Tables.block(content, List.of(restart)));
    }

    private static byte[] row(int shared, byte[] rest, byte[] value) {
        var row = new WireOutput();
        Tables.row(row, shared, rest, value);
        return row.toBytes();
    }

    /// A table whose index gives this place for its block.
    private static byte[] handle(long offset, long size) {
        var content = new WireOutput();
        Tables.row(content, 0, bytes(), headerBytes());
        byte[] index = Tables.indexBlock(List.of(Tables.handle(offset, size)));
        return Tables.table(Tables.block(content, List.of(0)), (byte) 0, index);
    }

    private static byte[] changed(byte[] table, int at) {
        byte[] bytes = table.clone();
        bytes[at] ^= 1;
        return bytes;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
