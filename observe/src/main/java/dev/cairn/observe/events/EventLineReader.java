package dev.cairn.observe.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the lines of an event file. Skips an incomplete line, which a killed writer leaves, and malformed lines.
final class EventLineReader {
    private static final ObjectReader READER = new ObjectMapper()
            .enable(DeserializationFeature.USE_LONG_FOR_INTS)
            .readerFor(new TypeReference<LinkedHashMap<String, @Nullable Object>>() {});

    private EventLineReader() {}

    static void read(long attempt, String process, byte[] file, Consumer<RecordedEvent> events) {
        int start = 0;
        for (int i = 0; i < file.length; i++) {
            if (file[i] == '\n') {
                parse(attempt, process, new String(file, start, i - start, UTF_8))
                        .ifPresent(events);
                start = i + 1;
            }
        }
    }

    private static Optional<RecordedEvent> parse(long attempt, String process, String line) {
        try {
            LinkedHashMap<String, @Nullable Object> values = READER.readValue(line);
            if (values == null
                    || !(values.get("event") instanceof String kind)
                    || !(values.get("time") instanceof String time)) {
                return Optional.empty();
            }
            return Optional.of(new RecordedEvent(attempt, process, Instant.parse(time), kind, values));
        } catch (JsonProcessingException | DateTimeException nonsense) {
            return Optional.empty();
        }
    }
}
