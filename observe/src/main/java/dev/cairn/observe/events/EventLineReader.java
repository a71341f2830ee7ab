package dev.cairn.observe.events;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads events from the JSON objects of their files.
final class EventLineReader {
    private EventLineReader() {}

    /// Empty if the object is not an event.
    static Optional<RecordedEvent> event(long attempt, String process, Map<String, @Nullable Object> values) {
        if (!(values.get("event") instanceof String kind) || !(values.get("time") instanceof String time)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RecordedEvent(attempt, process, Instant.parse(time), kind, values));
        } catch (DateTimeException nonsense) {
            return Optional.empty();
        }
    }
}
