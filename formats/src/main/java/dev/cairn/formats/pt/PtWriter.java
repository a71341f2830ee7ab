package dev.cairn.formats.pt;

import dev.cairn.disk.NewFile;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.SequentialWriter;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.formats.zip.ZipWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes a file that `torch.load` reads: a dictionary, and for each tensor in it a separate storage. Storages begin at
/// a multiple of 64 bytes, as in PyTorch's own files.
public final class PtWriter extends SequentialWriter {
    private static final String ARCHIVE = "archive/";
    private static final int ALIGNMENT = 64;

    private final ZipWriter zip;

    private PtWriter(List<NamedTensor> tensors, NewFile output, ZipWriter zip) {
        super(tensors, output);
        this.zip = zip;
    }

    /// Begins a file of these tensors.
    ///
    /// @param tree what `torch.load` returns for the file, with a place for each tensor
    /// @throws UnsupportedException if a tensor has a reserved name
    public static PtWriter start(String file, NewFile output, List<NamedTensor> tensors, PickleValue tree)
            throws IOException {
        for (NamedTensor tensor : tensors) {
            if (tensor.name().equals(PtFile.METADATA)) {
                throw UnsupportedException.tensor(file, tensor.name(), "has the name that Cairn reserves for metadata");
            }
        }
        var zip = new ZipWriter(output);
        byte[] pickle = PickleWriter.write(tree);
        zip.begin(ARCHIVE + "data.pkl", pickle.length, ALIGNMENT);
        zip.append(MemorySegment.ofArray(pickle));
        zip.end();
        zip.entry(ARCHIVE + "byteorder", "little".getBytes(StandardCharsets.US_ASCII));
        return new PtWriter(tensors, output, zip);
    }

    @Override
    protected void begin(int index, NamedTensor tensor) throws IOException {
        zip.begin(ARCHIVE + "data/" + index, tensor.sizeBytes(), ALIGNMENT);
    }

    @Override
    protected void append(MemorySegment piece) throws IOException {
        zip.append(piece);
    }

    @Override
    protected void end() throws IOException {
        zip.end();
    }

    @Override
    protected void complete() throws IOException {
        zip.entry(ARCHIVE + "version", "3\n".getBytes(StandardCharsets.US_ASCII));
        zip.finish();
    }
}
