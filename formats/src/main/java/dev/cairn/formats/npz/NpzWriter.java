package dev.cairn.formats.npz;

import dev.cairn.disk.NewFile;
import dev.cairn.formats.file.MetadataJson;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.SequentialWriter;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.formats.zip.ZipNames;
import dev.cairn.formats.zip.ZipWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// Writes npz: arrays as NumPy stores them without compression. Metadata, if there is any, is another entry, which
/// `numpy.load` returns as bytes.
public final class NpzWriter extends SequentialWriter {
    /// The maximum number of dimensions before NumPy 2.
    private static final int MOST_DIMENSIONS = 32;

    private final ZipWriter zip;
    private final List<byte[]> headers;

    private NpzWriter(List<NamedTensor> tensors, NewFile output, ZipWriter zip, List<byte[]> headers) {
        super(tensors, output);
        this.zip = zip;
        this.headers = headers;
    }

    public static NpzWriter start(
            String file, NewFile output, List<NamedTensor> tensors, SortedMap<String, String> metadata)
            throws IOException {
        var headers = new ArrayList<byte[]>();
        for (NamedTensor tensor : tensors) {
            if (tensor.shape().size() > MOST_DIMENSIONS) {
                throw UnsupportedException.tensor(
                        file,
                        tensor.name(),
                        "has %d dimensions, but npz allows %d"
                                .formatted(tensor.shape().size(), MOST_DIMENSIONS));
            }
            headers.add(NpyHeader.write(file, tensor));
            ZipNames.check(file, tensor.name());
        }
        var zip = new ZipWriter(output);
        if (!metadata.isEmpty()) {
            zip.entry(NpzFile.METADATA, MetadataJson.write(metadata));
        }
        return new NpzWriter(tensors, output, zip, headers);
    }

    @Override
    protected void begin(int index, NamedTensor tensor) throws IOException {
        byte[] header = headers.get(index);
        zip.begin(tensor.name() + NpzFile.ENDING, header.length + tensor.sizeBytes(), 1);
        zip.append(MemorySegment.ofArray(header));
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
        zip.finish();
    }
}
