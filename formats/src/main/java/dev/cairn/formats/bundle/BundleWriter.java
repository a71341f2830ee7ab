package dev.cairn.formats.bundle;

import dev.cairn.disk.NewFile;
import dev.cairn.formats.file.MetadataJson;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.SequentialWriter;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// Writes a bundle with one data file, as TensorFlow does: the tensors' bytes one after the other, and the index when
/// they are on the disk. Metadata is a text tensor, the first one in the data file.
public final class BundleWriter extends SequentialWriter {
    /// The maximum size of a tensor's row in the index, without name and shape.
    private static final int ROW_BYTES = 64;

    private static final int DIMENSION_BYTES = 13;
    private static final long LARGEST_SLICE = 1 << 30;

    private final NewFile output;
    private final Path index;
    private final SortedMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    private final CRC32C crc = new CRC32C();
    private int number;
    private long offset;

    private BundleWriter(List<NamedTensor> order, NewFile output, Path index) {
        super(order, output);
        this.output = output;
        this.index = index;
    }

    /// Starts a bundle.
    ///
    /// @param index the file that is written last
    public static BundleWriter start(
            String file, NewFile output, Path index, List<NamedTensor> tensors, SortedMap<String, String> metadata)
            throws IOException {
        long indexBytes = 0;
        for (NamedTensor tensor : tensors) {
            check(file, tensor);
            indexBytes += ROW_BYTES
                    + key(tensor.name()).length
                    + DIMENSION_BYTES * (long) tensor.shape().size();
        }
        byte[] text = metadata.isEmpty() ? new byte[0] : MetadataJson.write(metadata);
        if (Math.max(indexBytes, text.length) > TensorFile.MOST_HEADER_BYTES) {
            throw new UnsupportedException(
                    file,
                    "names or metadata take %,d bytes, but a bundle allows %,d; choose another format"
                            .formatted(Math.max(indexBytes, text.length), TensorFile.MOST_HEADER_BYTES));
        }
        var writer = new BundleWriter(tensors, output, index);
        writer.rows.put(new byte[0], new BundleHeader(1).toBytes());
        if (!metadata.isEmpty()) {
            byte[] stored = BundleText.store(text);
            int crc = BundleText.crc(stored, text.length);
            var entry = new BundleEntry(BundleTypes.STRING, List.of(), 0, 0, stored.length, crc, 0);
            writer.rows.put(key(BundleIndex.METADATA), entry.toBytes());
            output.append(stored);
        }
        return writer;
    }

    private static void check(String file, NamedTensor tensor) throws UnsupportedException {
        if (BundleTypes.number(tensor.type()).isEmpty()) {
            throw UnsupportedException.tensor(
                    file,
                    tensor.name(),
                    "has the type %s, which TensorFlow does not have; export as safetensors or pt"
                            .formatted(tensor.type().label()));
        }
        if (tensor.name().equals(BundleIndex.METADATA)) {
            throw UnsupportedException.tensor(file, tensor.name(), "has the name that Cairn reserves for metadata");
        }
        if (tensor.name().isEmpty()
                || tensor.name().charAt(0) == 0
                || !StandardCharsets.UTF_8.newEncoder().canEncode(tensor.name())) {
            throw UnsupportedException.tensor(
                    file, tensor.name(), "has a name that TensorFlow reserves for itself; export as safetensors");
        }
        if (tensor.shape().size() > BundleEntry.MOST_DIMENSIONS) {
            throw UnsupportedException.tensor(
                    file,
                    tensor.name(),
                    "has %d dimensions, but TensorFlow allows %d"
                            .formatted(tensor.shape().size(), BundleEntry.MOST_DIMENSIONS));
        }
    }

    private static byte[] key(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    protected void begin(int index, NamedTensor tensor) {
        number = index;
        offset = output.position();
        crc.reset();
    }

    @Override
    protected void append(MemorySegment piece) throws IOException {
        for (long at = 0; at < piece.byteSize(); at += LARGEST_SLICE) {
            crc.update(piece.asSlice(at, Math.min(LARGEST_SLICE, piece.byteSize() - at))
                    .asByteBuffer());
        }
        output.append(piece);
    }

    @Override
    protected void end() {
        NamedTensor tensor = order().get(number);
        var entry = new BundleEntry(
                BundleTypes.number(tensor.type()).orElseThrow(),
                tensor.shape(),
                0,
                offset,
                tensor.sizeBytes(),
                MaskedCrc.mask((int) crc.getValue()),
                0);
        rows.put(key(tensor.name()), entry.toBytes());
    }

    @Override
    protected void complete() {}

    @Override
    protected void seal() throws IOException {
        try (NewFile file = NewFile.create(index)) {
            var table = new SortedTableWriter(file);
            for (var row : rows.entrySet()) {
                table.add(row.getKey(), row.getValue());
            }
            table.finish();
            file.finish();
        }
    }
}
