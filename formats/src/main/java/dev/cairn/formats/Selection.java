package dev.cairn.formats;

import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The tensors of a file whose names begin with a path, for example the tensors of one dictionary. Their names lose the
/// path. Metadata below the path loses it, too; other metadata is unchanged.
public final class Selection implements TensorFile {
    private static final int MOST_SHOWN = 8;

    private final TensorFile file;
    private final String path;
    private final Map<NamedTensor, NamedTensor> originals = new HashMap<>();
    private final List<NamedTensor> tensors = new ArrayList<>();
    private final SortedMap<String, String> metadata = new TreeMap<>();

    private Selection(TensorFile file, String path) {
        this.file = file;
        this.path = path;
        for (NamedTensor tensor : file.tensors()) {
            below(tensor.name()).ifPresent(name -> {
                var selected = new NamedTensor(name, tensor.type(), tensor.shape());
                tensors.add(selected);
                originals.put(selected, tensor);
            });
        }
        file.metadata().forEach((name, text) -> {
            if (below(name).isEmpty()) {
                metadata.put(name, text);
            }
        });
        file.metadata().forEach((name, text) -> below(name).ifPresent(rest -> metadata.put(rest, text)));
    }

    /// Selects the part of a file below a path.
    ///
    /// @param name name of the file, for messages
    /// @param path first part of the names, without the dot or slash after it
    /// @throws UnsupportedException if no tensor's name begins with the path
    public static Selection of(String name, TensorFile file, String path) throws UnsupportedException {
        var selection = new Selection(file, path);
        if (selection.tensors.isEmpty()) {
            throw new UnsupportedException(
                    name,
                    "no tensor's name begins with '%s.'; the names begin with %s"
                            .formatted(FormatException.printable(path), selection.beginnings()));
        }
        return selection;
    }

    private Optional<String> below(String name) {
        boolean within = name.length() > path.length() + 1
                && name.startsWith(path)
                && (name.charAt(path.length()) == '.' || name.charAt(path.length()) == '/');
        return within ? Optional.of(name.substring(path.length() + 1)) : Optional.empty();
    }

    /// The first parts of the names, for messages.
    private String beginnings() {
        List<String> some = file.tensors().stream()
                .map(tensor -> tensor.name().split("[./]", 2)[0])
                .distinct()
                .limit(MOST_SHOWN + 1L)
                .map(FormatException::printable)
                .toList();
        return some.size() > MOST_SHOWN
                ? String.join(", ", some.subList(0, MOST_SHOWN)) + ", …"
                : some.isEmpty() ? "none" : String.join(", ", some);
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
        var notes = new ArrayList<>(file.notes());
        int outside = file.tensors().size() - tensors.size();
        if (outside > 0) {
            notes.add("%,d tensors outside of %s".formatted(outside, FormatException.printable(path)));
        }
        return List.copyOf(notes);
    }

    @Override
    public void read(NamedTensor tensor, long offset, MemorySegment target) throws IOException {
        NamedTensor original = originals.get(tensor);
        if (original == null) {
            throw new IllegalArgumentException("no such tensor: " + tensor);
        }
        file.read(original, offset, target);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
