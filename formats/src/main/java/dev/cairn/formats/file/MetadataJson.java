package dev.cairn.formats.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Metadata as a JSON object of strings, for formats without a field for metadata.
public final class MetadataJson {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private MetadataJson() {}

    /// Writes the metadata as one JSON object of strings.
    public static byte[] write(SortedMap<String, String> metadata) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            for (Map.Entry<String, String> entry : metadata.entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /// The approximate memory that an entry takes, including what a parser keeps of it.
    public static long heapBytes(String key, int textLength) {
        return 250 + 4L * key.length() + 4L * textLength;
    }

    /// Reads what [#write] wrote.
    ///
    /// @throws DamagedFileException if it is something else
    public static SortedMap<String, String> read(String file, byte[] bytes, Allowance allowance) throws IOException {
        var metadata = new TreeMap<String, String>();
        var reader = new InputStreamReader(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder());
        try (JsonParser json = FACTORY.createParser(reader)) {
            boolean sound = json.nextToken() == JsonToken.START_OBJECT;
            while (sound && json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                sound = json.nextToken() == JsonToken.VALUE_STRING;
                allowance.take(heapBytes(key, json.getTextLength()));
                metadata.put(key, json.getText());
            }
            if (!sound || json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw new DamagedFileException(file, "metadata is not a JSON object of strings");
            }
            return metadata;
        } catch (JsonProcessingException | CharacterCodingException e) {
            throw new DamagedFileException(file, "metadata is not a JSON object of strings");
        }
    }
}
