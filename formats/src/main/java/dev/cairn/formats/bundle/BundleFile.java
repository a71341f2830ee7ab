package dev.cairn.formats.bundle;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.bundle.BundleIndex.Row;
import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FileInput;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.MetadataJson;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.Ranges;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Reads a bundle, the format of TensorFlow's checkpoints. It has an index, which is a [SortedTable] of [BundleEntry]
/// by name, and one or more data files with the tensors' bytes. One data file is open at a time.
///
/// Tensors of text are left out, except `__metadata__`, which Cairn writes. For a variable that was saved in parts, the
/// error says how to save it whole. Tensors that share bytes are damage, because TensorFlow does not write them.
public final class BundleFile implements TensorFile {
    private static final long LARGEST_SLICE = 1 << 30;

    private final String name;
    private final BundleIndex index;
    private final Data data;
    private final List<NamedTensor> tensors = new ArrayList<>();
    private final Map<NamedTensor, Place> places = new HashMap<>();
    private SortedMap<String, String> metadata = new TreeMap<>();
    private @Nullable Input open;
    private long openShard = -1;
    private final CRC32C crc = new CRC32C();
    private int summing = -1;
    private long summed;

    /// The data files of a bundle.
    @FunctionalInterface
    interface Data {
        public Input open(int shard, int shards) throws IOException;
    }

    /// @param number position in the order of bytes
    private record Place(int number, int shard, long offset, int crc) {}

    private BundleFile(String name, BundleIndex index, Data data) {
        this.name = name;
        this.index = index;
        this.data = data;
    }

    /// Opens the bundle with this prefix, or the bundle that this file belongs to.
    public static BundleFile open(Path file) throws IOException {
        BundleName bundle = BundleName.of(file);
        if (!Files.exists(bundle.index()) && Files.isRegularFile(bundle.prefix())) {
            throw UnsupportedException.otherFormat(
                    file.toString(),
                    "is a single file, but a bundle also has %s"
                            .formatted(bundle.index().getFileName()),
                    "pt");
        }
        try (FileInput index = FileInput.open(bundle.index())) {
            return open(index, (shard, shards) -> {
                Path path = bundle.data(shard, shards);
                try {
                    return FileInput.open(path);
                } catch (NoSuchFileException e) {
                    throw new DamagedFileException(
                            index.name(), "its data file %s is missing".formatted(path.getFileName()));
                }
            });
        }
    }

    /// Opens a bundle. The index is not needed after this call.
    public static BundleFile open(Input index, Data data) throws IOException {
        var file = new BundleFile(index.name(), BundleIndex.read(index), data);
        try {
            file.check();
            return file;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void check() throws IOException {
        if (index.metadata().isPresent()) {
            readMetadata(index.metadata().orElseThrow());
        }
        long end = 0;
        for (Row row : index.tensors()) {
            end = add(row, end);
        }
    }

    /// @param end end of the previous tensor; unused if this tensor is the first one in a data file
    private long add(Row row, long end) throws IOException {
        BundleEntry entry = row.entry();
        ElementType type = BundleTypes.of(name, row.name(), entry.type());
        NamedTensor tensor;
        try {
            tensor = new NamedTensor(row.name(), type, entry.shape());
        } catch (IllegalArgumentException e) {
            throw damaged(row.name(), String.valueOf(e.getMessage()));
        }
        boolean sameShard = entry.shard() == openShard;
        if (tensor.sizeBytes() != entry.size()) {
            throw damaged(
                    row.name(),
                    "shape %s of %s takes %d bytes, but it has %s"
                            .formatted(
                                    tensor.shape(),
                                    type.label(),
                                    tensor.sizeBytes(),
                                    Long.toUnsignedString(entry.size())));
        }
        requireInside(row);
        if (entry.size() > 0 && sameShard && entry.offset() < end) {
            throw damaged(
                    row.name(), "begins at %d, but the previous tensor ends at %d".formatted(entry.offset(), end));
        }
        if (entry.size() == 0 && entry.crc() != MaskedCrc.mask(0)) {
            throw damaged(row.name(), "has no bytes, but its crc32c does not match");
        }
        places.put(tensor, new Place(tensors.size(), (int) entry.shard(), entry.offset(), entry.crc()));
        tensors.add(tensor);
        return sameShard ? Math.max(end, entry.offset() + entry.size()) : entry.offset() + entry.size();
    }

    /// Returns the data file of the tensor, opened.
    private Input requireInside(Row row) throws IOException {
        BundleEntry entry = row.entry();
        if (entry.shard() < 0 || entry.shard() >= index.shards()) {
            throw damaged(row.name(), "is in data file %d of %d".formatted(entry.shard(), index.shards()));
        }
        Input input = shard((int) entry.shard());
        if (entry.offset() < 0 || entry.size() < 0 || entry.offset() > input.sizeBytes() - entry.size()) {
            throw damaged(
                    row.name(),
                    "%s bytes at offset %s, in a data file of %d bytes"
                            .formatted(
                                    Long.toUnsignedString(entry.size()),
                                    Long.toUnsignedString(entry.offset()),
                                    input.sizeBytes()));
        }
        return input;
    }

    private void readMetadata(Row row) throws IOException {
        Input input = requireInside(row);
        BundleEntry entry = row.entry();
        if (entry.size() > MOST_HEADER_BYTES) {
            throw new UnsupportedException(
                    name, "metadata has %,d bytes; the maximum is %,d".formatted(entry.size(), MOST_HEADER_BYTES));
        }
        var allowance = new Allowance(name);
        allowance.read(entry.size());
        allowance.take(2 * entry.size());
        byte[] stored = input.bytes(entry.offset(), (int) entry.size());
        metadata = MetadataJson.read(name, BundleText.load(input.name(), stored, entry.crc()), allowance);
    }

    private Input shard(int number) throws IOException {
        Input input = open;
        if (input == null || openShard != number) {
            close();
            input = data.open(number, index.shards());
            open = input;
            openShard = number;
        }
        return input;
    }

    private DamagedFileException damaged(String tensor, String problem) {
        return new DamagedFileException(name, FormatException.printable("tensor " + tensor + ": " + problem));
    }

    @Override
    public List<NamedTensor> tensors() {
        return List.copyOf(tensors);
    }

    @Override
    public SortedMap<String, String> metadata() {
        return metadata;
    }

    @Override
    public List<String> notes() {
        return List.copyOf(index.notes());
    }

    @Override
    public void read(NamedTensor tensor, long offset, MemorySegment target) throws IOException {
        Place place = places.get(tensor);
        if (place == null) {
            throw new IllegalArgumentException("no such tensor: " + tensor);
        }
        Ranges.check(tensor, offset, target);
        if (target.byteSize() > 0) {
            shard(place.shard()).read(place.offset() + offset, target);
            sum(tensor, place, offset, target);
        }
    }

    /// Adds bytes to the checksum if they follow the bytes that were added last.
    private void sum(NamedTensor tensor, Place place, long offset, MemorySegment bytes) throws DamagedFileException {
        if (offset == 0) {
            crc.reset();
            summing = place.number();
            summed = 0;
        }
        if (summing != place.number() || offset != summed) {
            return;
        }
        for (long at = 0; at < bytes.byteSize(); at += LARGEST_SLICE) {
            crc.update(bytes.asSlice(at, Math.min(LARGEST_SLICE, bytes.byteSize() - at))
                    .asByteBuffer());
        }
        summed += bytes.byteSize();
        int actual = MaskedCrc.mask((int) crc.getValue());
        if (summed == tensor.sizeBytes() && actual != place.crc()) {
            throw damaged(
                    tensor.name(), "expected masked crc32c=%08x, actual crc32c=%08x".formatted(place.crc(), actual));
        }
    }

    @Override
    public void close() throws IOException {
        Input input = open;
        open = null;
        openShard = -1;
        if (input != null) {
            input.close();
        }
    }
}
