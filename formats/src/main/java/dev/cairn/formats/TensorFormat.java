package dev.cairn.formats;

import dev.cairn.disk.NewFile;
import dev.cairn.formats.bundle.BundleFile;
import dev.cairn.formats.bundle.BundleName;
import dev.cairn.formats.bundle.BundleWriter;
import dev.cairn.formats.file.FileInput;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.formats.npz.NpzFile;
import dev.cairn.formats.npz.NpzWriter;
import dev.cairn.formats.pt.PtFile;
import dev.cairn.formats.pt.PtTree;
import dev.cairn.formats.pt.PtWriter;
import dev.cairn.formats.pt.TorchState;
import dev.cairn.formats.safetensors.SafetensorsFile;
import dev.cairn.formats.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/// A format of files that hold tensors.
public enum TensorFormat {
    /// A JSON header and the bytes of the tensors, one after the other.
    SAFETENSORS,
    /// NumPy's format: a zip file with an array in each entry.
    NPZ,
    /// PyTorch's format: a zip file with a pickle of dictionaries, and the bytes of each tensor in an entry.
    PT,
    /// TensorFlow's format: an index and one or more files with the bytes of tensors. All names have the same
    /// prefix.
    BUNDLE;

    /// The name of the format in options, such as `safetensors`.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The endings of the names of its files.
    public List<String> endings() {
        return switch (this) {
            case SAFETENSORS -> List.of(".safetensors");
            case NPZ -> List.of(".npz");
            case PT -> List.of(".pt", ".pth", ".bin");
            case BUNDLE -> List.of(".ckpt", ".index");
        };
    }

    /// The format of a file with this name; empty if the ending is unknown.
    public static Optional<TensorFormat> ofFile(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        for (TensorFormat format : values()) {
            if (format.endings().stream().anyMatch(name::endsWith)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /// The files that make up a file with this name, in the order in which they must appear: if the last one
    /// exists, all do. The result is the file itself, except for a bundle, whose name is its prefix or the name
    /// of its index.
    public List<Path> files(Path file) {
        return switch (this) {
            case SAFETENSORS, NPZ, PT -> List.of(file);
            case BUNDLE -> BundleName.of(file).files();
        };
    }

    /// Opens a file for reading.
    ///
    /// @throws dev.cairn.formats.file.FormatException if the file is not a valid file of this format, or if it
    /// contains something that Cairn cannot hold
    public TensorFile open(Path file) throws IOException {
        return switch (this) {
            case SAFETENSORS -> open(file, SafetensorsFile::open);
            case NPZ -> open(file, NpzFile::open);
            case PT -> open(file, PtFile::open);
            case BUNDLE -> BundleFile.open(file);
        };
    }

    /// The result closes the input.
    private interface Opening {
        TensorFile open(Input input) throws IOException;
    }

    private static TensorFile open(Path file, Opening opening) throws IOException {
        FileInput input = FileInput.open(file);
        try {
            return opening.open(input);
        } catch (IOException | RuntimeException e) {
            input.close();
            throw e;
        }
    }

    /// Creates a new file. Neither the file nor any of its [#files] may exist.
    ///
    /// @param tensors the tensors of the file; each name occurs once
    /// @param metadata the metadata of the file
    /// @throws dev.cairn.formats.file.UnsupportedException if the format cannot hold one of them; no file is left
    public TensorFileWriter create(Path file, List<NamedTensor> tensors, SortedMap<String, String> metadata)
            throws IOException {
        return create(file, tensors, metadata, Optional.empty());
    }

    /// Creates a new file of a whole state, nested as PyTorch programs expect. Formats without nesting hold all
    /// tensors by their names.
    public TensorFileWriter create(
            Path file, List<NamedTensor> tensors, SortedMap<String, String> metadata, TorchState state)
            throws IOException {
        return create(file, tensors, metadata, Optional.of(state));
    }

    private TensorFileWriter create(
            Path file, List<NamedTensor> tensors, SortedMap<String, String> metadata, Optional<TorchState> state)
            throws IOException {
        var names = new HashSet<String>();
        for (NamedTensor tensor : tensors) {
            if (!names.add(tensor.name())) {
                throw new IllegalArgumentException("two tensors have the name " + tensor.name());
            }
        }
        List<Path> files = files(file);
        if (Files.exists(files.getLast())) {
            throw new FileAlreadyExistsException(files.getLast().toString());
        }
        NewFile output = NewFile.create(files.getFirst());
        try {
            return start(output, files.getLast(), tensors, metadata, state);
        } catch (IOException | RuntimeException e) {
            output.close();
            Files.delete(files.getFirst());
            throw e;
        }
    }

    private TensorFileWriter start(
            NewFile output,
            Path last,
            List<NamedTensor> tensors,
            SortedMap<String, String> metadata,
            Optional<TorchState> state)
            throws IOException {
        return switch (this) {
            case SAFETENSORS -> SafetensorsWriter.start(label(), output, tensors, metadata);
            case NPZ -> NpzWriter.start(label(), output, tensors, metadata);
            case PT ->
                PtWriter.start(
                        label(),
                        output,
                        tensors,
                        state.isPresent()
                                ? PtTree.nested(tensors, state.get(), metadata)
                                : PtTree.flat(tensors, metadata));
            case BUNDLE -> BundleWriter.start(label(), output, last, tensors, metadata);
        };
    }
}
