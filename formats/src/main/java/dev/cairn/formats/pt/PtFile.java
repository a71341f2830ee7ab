package dev.cairn.formats.pt;

import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.Ranges;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.formats.pt.PickleValue.Storage;
import dev.cairn.formats.pt.PickleValue.Tensor;
import dev.cairn.formats.zip.ZipContent;
import dev.cairn.formats.zip.ZipDirectory;
import dev.cairn.formats.zip.ZipEntry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Reads files that `torch.save` has written since PyTorch 1.6: a zip file with a pickle of the state,
/// `ARCHIVE/data.pkl`, and the bytes of each storage in `ARCHIVE/data/KEY`. [PickleReader] describes what a pickle may
/// contain.
///
/// Tensors may share a storage, and may be a part of one. The elements of a tensor must be contiguous.
public final class PtFile implements TensorFile {
    /// The name of the dictionary that holds metadata in files that Cairn wrote.
    static final String METADATA = "__metadata__";

    private static final String PICKLE = "/data.pkl";

    private final Input input;
    private final PtContents contents;
    private final List<NamedTensor> tensors = new ArrayList<>();
    private final Map<NamedTensor, View> views = new HashMap<>();
    private final Map<String, ZipContent> storages = new HashMap<>();
    private @Nullable ZipContent open;

    /// @param offset offset of the tensor's first byte
    private record View(ZipContent storage, ZipEntry entry, long offset) {}

    private PtFile(Input input, PtContents contents) {
        this.input = input;
        this.contents = contents;
    }

    /// Opens a file and reads its description of tensors. The result closes the input.
    ///
    /// @throws FormatException if it is not a valid pt file, or contains something that Cairn cannot hold
    public static PtFile open(Input input) throws IOException {
        if (input.sizeBytes() > 1 && (input.bytes(0, 1)[0] & 0xff) == PickleReader.FIRST_BYTE) {
            throw new UnsupportedException(
                    input.name(), "has the format of PyTorch before 1.6; load it and save it again");
        }
        var allowance = new Allowance(input.name());
        SequencedMap<String, ZipEntry> entries = ZipDirectory.read(input, allowance);
        ZipEntry pickle = entries.values().stream()
                .filter(entry -> entry.name().indexOf('/') == entry.name().length() - PICKLE.length()
                        && entry.name().endsWith(PICKLE))
                .findFirst()
                .orElseThrow(() -> new DamagedFileException(input.name(), "it contains no data.pkl"));
        String archive = pickle.name().substring(0, pickle.name().length() - PICKLE.length());
        requireLittleEndian(input, entries.get(archive + "/byteorder"), allowance);
        byte[] bytes = ZipContent.readAll(input, pickle, MOST_HEADER_BYTES, allowance);
        PickleValue root = PickleReader.read(input.name(), bytes, allowance);
        var file = new PtFile(input, PtContents.of(input.name(), root, allowance));
        for (var entry : file.contents.tensors().entrySet()) {
            allowance.take(file.add(entry.getKey(), entry.getValue(), archive + "/data/", entries)
                    .heapBytes());
        }
        file.order();
        return file;
    }

    private static void requireLittleEndian(Input input, @Nullable ZipEntry order, Allowance allowance)
            throws IOException {
        if (order != null) {
            String text = new String(ZipContent.readAll(input, order, 64, allowance), StandardCharsets.US_ASCII);
            if (!text.equals("little")) {
                throw new UnsupportedException(
                        input.name(),
                        "was saved with byte order '%s'; save it on a little-endian machine"
                                .formatted(FormatException.printable(text)));
            }
        }
    }

    private NamedTensor add(String name, Tensor tensor, String folder, Map<String, ZipEntry> entries)
            throws IOException {
        NamedTensor named;
        try {
            named = new NamedTensor(name, tensor.type(), tensor.shape());
        } catch (IllegalArgumentException e) {
            throw damaged(name, String.valueOf(e.getMessage()));
        }
        Storage storage = tensor.storage();
        ZipEntry entry = entries.get(folder + storage.key());
        if (entry == null) {
            throw damaged(name, "its storage " + storage.key() + " is missing");
        }
        int width = storage.type() == null ? 1 : storage.type().sizeBytes();
        if (storage.count() < 0
                || storage.count() > entry.sizeBytes() / width
                || storage.count() * width != entry.sizeBytes()) {
            throw damaged(
                    name,
                    "its storage of %d elements of %d bytes has %d bytes"
                            .formatted(storage.count(), width, entry.sizeBytes()));
        }
        long size = named.sizeBytes();
        long room = entry.sizeBytes() - size;
        if (size > 0 && !isContiguous(tensor)) {
            throw UnsupportedException.tensor(
                    input.name(),
                    name,
                    "is not contiguous: shape=%s strides=%s; save it with .contiguous()"
                            .formatted(tensor.shape(), tensor.strides()));
        }
        if (tensor.offset() < 0
                || room < 0
                || (size > 0 && tensor.offset() > room / tensor.type().sizeBytes())) {
            throw damaged(
                    name,
                    "%d bytes at element %d, in a storage of %d bytes"
                            .formatted(size, tensor.offset(), entry.sizeBytes()));
        }
        ZipContent content = storages.computeIfAbsent(storage.key(), _ -> ZipContent.of(input, entry));
        long offset = size == 0 ? 0 : tensor.offset() * tensor.type().sizeBytes();
        tensors.add(named);
        views.put(named, new View(content, entry, offset));
        return named;
    }

    /// Puts tensors in the order of their bytes. Refuses tensors that share storages so much that the same bytes
    /// would be read very often.
    private void order() throws UnsupportedException {
        tensors.sort(Comparator.comparingLong(
                        (NamedTensor tensor) -> view(tensor).entry().dataOffset())
                .thenComparingLong(tensor -> view(tensor).offset()));
        var shared = new SharedStorages(input.name());
        for (NamedTensor tensor : tensors) {
            shared.add(view(tensor).entry(), view(tensor).offset(), tensor.sizeBytes());
        }
        shared.check();
    }

    private View view(NamedTensor tensor) {
        View view = views.get(tensor);
        if (view == null) {
            throw new IllegalArgumentException("no such tensor: " + tensor);
        }
        return view;
    }

    /// Whether elements are contiguous, row by row. The stride of a dimension of size one does not matter.
    private static boolean isContiguous(Tensor tensor) {
        long stride = 1;
        for (int i = tensor.shape().size() - 1; i >= 0; i--) {
            long dimension = tensor.shape().get(i);
            if (dimension != 1 && tensor.strides().get(i) != stride) {
                return false;
            }
            stride *= dimension;
        }
        return true;
    }

    private DamagedFileException damaged(String tensor, String problem) {
        return new DamagedFileException(input.name(), FormatException.printable("tensor " + tensor + ": " + problem));
    }

    @Override
    public List<NamedTensor> tensors() {
        return List.copyOf(tensors);
    }

    @Override
    public List<Part> parts() {
        return contents.parts();
    }

    @Override
    public SortedMap<String, String> metadata() {
        return contents.metadata();
    }

    @Override
    public List<String> notes() {
        return contents.leftOut() == 0
                ? List.of()
                : List.of("%d values that are neither tensor, text nor number".formatted(contents.leftOut()));
    }

    @Override
    public void read(NamedTensor tensor, long offset, MemorySegment target) throws IOException {
        View view = view(tensor);
        Ranges.check(tensor, offset, target);
        ZipContent before = open;
        if (before != null && !before.equals(view.storage())) {
            before.release(); // only one storage is inflated at a time
        }
        open = view.storage();
        view.storage().read(view.offset() + offset, target);
    }

    @Override
    public void close() throws IOException {
        storages.values().forEach(ZipContent::release);
        input.close();
    }
}
