package dev.cairn.formats.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.BytesInput;
import dev.cairn.formats.file.TensorFile;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Made-up bundles and sorted tables with correct checksums.
public final class Tables {
    private Tables() {}

    /// A bundle in memory. All its data files are the same.
    static TensorFile open(byte[] index, byte[] data) throws IOException {
        return BundleFile.open(new BytesInput(index), (_, _) -> new BytesInput(data));
    }

    /// Whether TensorFlow has a number for the type.
    public static boolean holds(ElementType type) {
        return BundleTypes.number(type).isPresent();
    }

    /// An index with the given number of names that begin with the same characters, which are stored once.
    public static byte[] ofLongNames(int sharedCharacters, int names) {
        var content = new WireOutput();
        row(content, 0, new byte[0], new byte[] {8, 1});
        byte[] prefix = "p".repeat(sharedCharacters).getBytes(UTF_8);
        row(content, 0, prefix, new byte[] {8, 1});
        for (int i = 0; i < names; i++) {
            byte[] rest = {(byte) (1 + i / 10_000), (byte) (1 + i / 100 % 100), (byte) (1 + i % 100)};
            row(content, prefix.length, rest, new byte[] {8, 1});
        }
        return table(block(content, List.of(0)));
    }

    /// An index of one text, the metadata, which takes the given number of bytes in the data file.
    public static byte[] ofOneText(long bytes) {
        var content = new WireOutput();
        row(content, 0, new byte[0], new BundleHeader(1).toBytes());
        int metadata = content.size();
        row(
                content,
                0,
                BundleIndex.METADATA.getBytes(UTF_8),
                new BundleEntry(BundleTypes.STRING, List.of(), 0, 0, bytes, 0, 0).toBytes());
        return table(block(content, List.of(0, metadata)));
    }

    /// The rows of a table.
    static List<Map.Entry<String, byte[]>> rows(byte[] table) throws IOException {
        var rows = new ArrayList<Map.Entry<String, byte[]>>();
        SortedTable.read(new BytesInput(table), new Allowance("table"), (key, value) -> {
            var bytes = new WireOutput();
            while (value.hasMore()) {
                bytes.bytes(value.take(1).toArray(ValueLayout.JAVA_BYTE));
            }
            rows.add(Map.entry(new String(key, UTF_8), bytes.toBytes()));
        });
        return rows;
    }

    /// A table of one block with these rows, in this order.
    static byte[] table(List<Map.Entry<String, byte[]>> rows) {
        var content = new WireOutput();
        var restarts = new ArrayList<Integer>();
        for (Map.Entry<String, byte[]> row : rows) {
            byte[] key = row.getKey().getBytes(UTF_8);
            restarts.add(content.size());
            row(content, 0, key, row.getValue());
        }
        return table(block(content, restarts));
    }

    static void row(WireOutput content, int shared, byte[] rest, byte[] value) {
        content.varint(shared);
        content.varint(rest.length);
        content.varint(value.length);
        content.bytes(rest);
        content.bytes(value);
    }

    static byte[] block(WireOutput content, List<Integer> restarts) {
        var block = new WireOutput();
        block.bytes(content.toBytes());
        restarts.forEach(block::fixed32);
        block.fixed32(restarts.size());
        return block.toBytes();
    }

    /// A table of this one block, whatever it contains.
    static byte[] table(byte[] block) {
        return table(block, (byte) 0, indexBlock(List.of(handle(0, block.length))));
    }

    /// @param kind how the block is compressed
    /// @param index the block with the place of the first block
    static byte[] table(byte[] block, byte kind, byte[] index) {
        var table = new WireOutput();
        append(table, block, kind);
        int none = table.size();
        append(table, block(new WireOutput(), List.of(0)), (byte) 0);
        int at = table.size();
        append(table, index, (byte) 0);
        var footer = new WireOutput();
        footer.bytes(handle(none, 2 * Integer.BYTES));
        footer.bytes(handle(at, index.length));
        table.bytes(Arrays.copyOf(footer.toBytes(), SortedTable.HANDLES_BYTES));
        table.fixed64(SortedTable.MAGIC);
        return table.toBytes();
    }

    static byte[] handle(long offset, long size) {
        var handle = new WireOutput();
        handle.varint(offset);
        handle.varint(size);
        return handle.toBytes();
    }

    /// An index block that places all keys in the first of these blocks.
    static byte[] indexBlock(List<byte[]> handles) {
        var content = new WireOutput();
        var restarts = new ArrayList<Integer>();
        for (byte[] handle : handles) {
            int number = restarts.size();
            restarts.add(content.size());
            row(content, 0, new byte[] {-1, (byte) (number >> 8), (byte) number}, handle);
        }
        return block(content, restarts);
    }

    /// The first block of a table.
    static byte[] firstBlock(byte[] table) throws IOException {
        var footer = new WireInput("table", new BytesInput(table).content().asSlice(table.length - 48, 40));
        // The metaindex block, which is not used, follows the only block of rows.
        return Arrays.copyOf(table, (int) footer.varint() - SortedTable.TRAILER_BYTES);
    }

    private static void append(WireOutput table, byte[] block, byte kind) {
        byte[] summed = Arrays.copyOf(block, block.length + 1);
        summed[block.length] = kind;
        table.bytes(summed);
        table.fixed32(MaskedCrc.of(summed));
    }
}
