package dev.cairn.formats.npz;

import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.MetadataJson;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.Notes;
import dev.cairn.formats.file.Ranges;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.zip.ZipContent;
import dev.cairn.formats.zip.ZipDirectory;
import dev.cairn.formats.zip.ZipEntry;
import dev.cairn.formats.zip.ZipLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads npz: a zip file whose entries `NAME.npy` are arrays, stored or deflated. The entry `__metadata__.json`, which
/// Cairn writes, is metadata. Other entries are left out. Arrays of Python objects are refused, because they are
/// pickles.
public final class NpzFile implements TensorFile {
    static final String METADATA = "__metadata__.json";
    static final String ENDING = ".npy";

    /// The maximum size of a header. NumPy itself reads at most 10,000 bytes.
    private static final int MOST_HEADER = 64 << 10;

    private static final long CONTENT_BYTES = 200;

    private final Input input;
    private final Allowance allowance;
    private final Map<NamedTensor, Array> arrays = new HashMap<>();
    private final List<NamedTensor> tensors = new ArrayList<>();
    private final Notes notes = new Notes();
    private SortedMap<String, String> metadata = new TreeMap<>();

    /// @param dataOffset offset of the first element within the entry
    private record Array(ZipContent content, int dataOffset) {}

    private NpzFile(Input input, Allowance allowance) {
        this.input = input;
        this.allowance = allowance;
    }

    public static NpzFile open(Input input) throws IOException {
        var allowance = new Allowance(input.name());
        var file = new NpzFile(input, allowance);
        SequencedMap<String, ZipEntry> entries = ZipDirectory.read(input, allowance);
        for (ZipEntry entry : entries.values()) {
            if (entry.name().equals(METADATA)) {
                byte[] text = ZipContent.readAll(input, entry, MOST_HEADER_BYTES, allowance);
                file.metadata = MetadataJson.read(input.name(), text, allowance);
            } else if (entry.name().endsWith(ENDING) && entry.name().length() > ENDING.length()) {
                file.add(entry);
            } else {
                file.notes.add("entry %s is not an array", entry.name());
            }
        }
        return file;
    }

    private void add(ZipEntry entry) throws IOException {
        String name = entry.name().substring(0, entry.name().length() - ENDING.length());
        ZipContent content = ZipContent.of(input, entry);
        try {
            byte[] prefix = read(content, 0, NpyHeader.PREFIX_BYTES);
            int version = prefix[NpyHeader.MAGIC.length];
            if (!Arrays.equals(NpyHeader.MAGIC, Arrays.copyOf(prefix, NpyHeader.MAGIC.length))
                    || version < 1
                    || version > 3) {
                throw content.damaged("not an array in the npy format, version 1 to 3");
            }
            int start = version == 1 ? NpyHeader.PREFIX_BYTES : NpyHeader.PREFIX_BYTES + 2;
            int low = ZipLayout.u16(MemorySegment.ofArray(prefix), NpyHeader.MAGIC.length + 2);
            int length = version == 1 ? low : low | wideLength(content);
            if (length < 0 || length > MOST_HEADER) {
                throw content.damaged("a header of more than %d bytes".formatted(MOST_HEADER));
            }
            byte[] text = read(content, start, length);
            NamedTensor tensor = NpyHeader.parse(input.name(), name, new String(text, StandardCharsets.ISO_8859_1));
            int dataOffset = start + text.length;
            if (tensor.sizeBytes() != entry.sizeBytes() - dataOffset) {
                throw content.damaged("shape %s of %s takes %d bytes, but there are %d"
                        .formatted(
                                tensor.shape(),
                                tensor.type().label(),
                                tensor.sizeBytes(),
                                entry.sizeBytes() - dataOffset));
            }
            allowance.read(Math.min(entry.compressedBytes(), dataOffset));
            allowance.take(CONTENT_BYTES + tensor.heapBytes());
            tensors.add(tensor);
            arrays.put(tensor, new Array(content, dataOffset));
        } finally {
            content.release();
        }
    }

    /// The upper half of the length, which only versions 2 and 3 have.
    private static int wideLength(ZipContent content) throws IOException {
        return ZipLayout.u16(MemorySegment.ofArray(read(content, NpyHeader.PREFIX_BYTES, 2)), 0) << 16;
    }

    private static byte[] read(ZipContent content, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        content.read(offset, MemorySegment.ofArray(bytes));
        return bytes;
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
        return notes.lines();
    }

    @Override
    public void read(NamedTensor tensor, long offset, MemorySegment target) throws IOException {
        Array array = arrays.get(tensor);
        if (array == null) {
            throw new IllegalArgumentException("no such tensor: " + tensor);
        }
        Ranges.check(tensor, offset, target);
        array.content().read(array.dataOffset() + offset, target);
    }

    @Override
    public void close() throws IOException {
        arrays.values().forEach(array -> array.content().release());
        input.close();
    }
}
