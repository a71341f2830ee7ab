package dev.cairn.formats.safetensors;

import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.InputSlice;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.Ranges;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.safetensors.SafetensorsHeader.Extent;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/// Reads safetensors: eight bytes with the length of the header, the header, then the tensors' bytes without gaps.
///
/// Like the reference implementation, it refuses a header of more than [TensorFile#MOST_HEADER_BYTES], names that occur
/// twice, and offsets that leave a gap, overlap, or do not end at the end of the file.
public final class SafetensorsFile implements TensorFile {
    static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final int LENGTH_BYTES = 8;

    private final Input input;
    private final long dataOffset;
    private final List<NamedTensor> tensors = new ArrayList<>();
    private final Map<NamedTensor, Long> begins = new HashMap<>();
    private final SortedMap<String, String> metadata;

    private SafetensorsFile(Input input, long dataOffset, SafetensorsHeader header) throws DamagedFileException {
        this.input = input;
        this.dataOffset = dataOffset;
        this.metadata = header.metadata();
        long end = 0;
        for (Extent extent : header.extents().stream()
                .sorted(Comparator.comparingLong(Extent::begin).thenComparingLong(Extent::end))
                .toList()) {
            NamedTensor tensor = extent.tensor();
            if (extent.begin() != end || extent.end() - extent.begin() != tensor.sizeBytes()) {
                throw new DamagedFileException(
                        input.name(),
                        "tensor %s: data_offsets=[%d, %d], but it takes %d bytes and the previous tensor ends at %d"
                                .formatted(
                                        FormatException.printable(tensor.name()),
                                        extent.begin(),
                                        extent.end(),
                                        tensor.sizeBytes(),
                                        end));
            }
            end = extent.end();
            tensors.add(tensor);
            begins.put(tensor, extent.begin());
        }
        if (end != input.sizeBytes() - dataOffset) {
            throw new DamagedFileException(
                    input.name(),
                    "tensors take %d bytes, but there are %d".formatted(end, input.sizeBytes() - dataOffset));
        }
    }

    public static SafetensorsFile open(Input input) throws IOException {
        if (input.sizeBytes() < LENGTH_BYTES) {
            throw new DamagedFileException(
                    input.name(), "%d bytes are too few for a safetensors file".formatted(input.sizeBytes()));
        }
        long length = MemorySegment.ofArray(input.bytes(0, LENGTH_BYTES)).get(U64, 0);
        if (length < 0 || length > MOST_HEADER_BYTES || length > input.sizeBytes() - LENGTH_BYTES) {
            throw new DamagedFileException(
                    input.name(),
                    "a header of %s bytes, but the maximum is %,d and the file has %d"
                            .formatted(Long.toUnsignedString(length), MOST_HEADER_BYTES, input.sizeBytes()));
        }
        var text = new InputSlice(input, LENGTH_BYTES, length);
        var allowance = new Allowance(input.name());
        allowance.read(length);
        return new SafetensorsFile(
                input, LENGTH_BYTES + length, SafetensorsHeader.parse(input.name(), text, allowance));
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
        return List.of();
    }

    @Override
    public void read(NamedTensor tensor, long offset, MemorySegment target) throws IOException {
        Long begin = begins.get(tensor);
        if (begin == null) {
            throw new IllegalArgumentException("no such tensor: " + tensor);
        }
        Ranges.check(tensor, offset, target);
        input.read(dataOffset + begin + offset, target);
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
