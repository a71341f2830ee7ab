package dev.cairn.observe.recording;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads JSON objects from lines. Skips an incomplete last line, which a killed writer leaves, and malformed lines.
final class JsonLines {
    private static final ObjectReader READER = new ObjectMapper()
            .enable(DeserializationFeature.USE_LONG_FOR_INTS)
            .readerFor(new TypeReference<LinkedHashMap<String, @Nullable Object>>() {});

    private JsonLines() {}

    static void read(byte[] file, Consumer<Map<String, @Nullable Object>> objects) {
        int start = 0;
        for (int i = 0; i < file.length; i++) {
            if (file[i] == '\n') {
                Map<String, @Nullable Object> object = parse(new String(file, start, i - start, UTF_8));
                if (object != null) {
                    objects.accept(object);
                }
                start = i + 1;
            }
        }
    }

    private static @Nullable Map<String, @Nullable Object> parse(String line) {
        try {
            return READER.readValue(line);
        } catch (JsonProcessingException nonsense) {
            return null;
        }
    }
}
