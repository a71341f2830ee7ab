package dev.cairn.formats.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.cairn.disk.NewFile;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.SequentialWriter;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/// Writes safetensors. Tensors with larger elements come first, and the header ends at a multiple of eight bytes. So
/// every element is aligned when a reader maps the file into memory.
public final class SafetensorsWriter extends SequentialWriter {
    private static final int ALIGNMENT = 8;

    private final NewFile output;

    private SafetensorsWriter(List<NamedTensor> order, NewFile output) {
        super(order, output);
        this.output = output;
    }

    public static SafetensorsWriter start(
            String file, NewFile output, List<NamedTensor> tensors, SortedMap<String, String> metadata)
            throws IOException {
        List<NamedTensor> order = tensors.stream()
                .sorted(Comparator.comparingInt(
                        (NamedTensor tensor) -> -tensor.type().sizeBytes()))
                .toList();
        byte[] header = header(file, order, metadata);
        int padding = -header.length & (ALIGNMENT - 1);
        if (header.length + padding > TensorFile.MOST_HEADER_BYTES) {
            throw new UnsupportedException(
                    file,
                    "names and metadata take %,d bytes, but safetensors allows %,d; choose another format"
                            .formatted(header.length, TensorFile.MOST_HEADER_BYTES));
        }
        MemorySegment length = MemorySegment.ofArray(new byte[SafetensorsFile.LENGTH_BYTES]);
        length.set(SafetensorsFile.U64, 0, header.length + padding);
        output.append(length);
        output.append(header);
        output.append(" ".repeat(padding).getBytes(StandardCharsets.US_ASCII));
        return new SafetensorsWriter(order, output);
    }

    private static byte[] header(String file, List<NamedTensor> order, SortedMap<String, String> metadata)
            throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
            json.writeStartObject();
            if (!metadata.isEmpty()) {
                json.writeObjectFieldStart(SafetensorsHeader.METADATA);
                for (Map.Entry<String, String> entry : metadata.entrySet()) {
                    json.writeStringField(entry.getKey(), entry.getValue());
                }
                json.writeEndObject();
            }
            long offset = 0;
            for (NamedTensor tensor : order) {
                if (tensor.name().equals(SafetensorsHeader.METADATA)) {
                    throw UnsupportedException.tensor(
                            file, tensor.name(), "has the name that safetensors reserves for metadata");
                }
                json.writeObjectFieldStart(tensor.name());
                json.writeStringField("dtype", SafetensorsTypes.label(tensor.type()));
                json.writeFieldName("shape");
                writeNumbers(json, tensor.shape());
                json.writeFieldName("data_offsets");
                writeNumbers(json, List.of(offset, offset + tensor.sizeBytes()));
                json.writeEndObject();
                offset += tensor.sizeBytes();
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void writeNumbers(JsonGenerator json, List<Long> numbers) throws IOException {
        json.writeStartArray();
        for (long number : numbers) {
            json.writeNumber(number);
        }
        json.writeEndArray();
    }

    @Override
    protected void begin(int index, NamedTensor tensor) {}

    @Override
    protected void append(MemorySegment piece) throws IOException {
        output.append(piece);
    }

    @Override
    protected void end() {}

    @Override
    protected void complete() {}
}
