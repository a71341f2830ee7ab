package dev.cairn.observe.events;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// An event that was read from a file. It includes kinds and keys that this version does not know.
///
/// @param attempt the start of the run in which it was recorded
/// @param process the process that recorded it
/// @param kind the kind, such as `step`
/// @param values all keys of the line: texts, `Long`, `Double`, `Boolean`, `null`, lists and maps
public record RecordedEvent(
        long attempt, String process, Instant time, String kind, Map<String, @Nullable Object> values) {
    public RecordedEvent {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /// The step of the event; empty if it has none.
    public OptionalLong step() {
        return values.get("step") instanceof Long step ? OptionalLong.of(step) : OptionalLong.empty();
    }

    /// The number of this key; empty if there is none, or if it was not finite.
    public OptionalDouble number(String key) {
        return values.get(key) instanceof Number number
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty();
    }

    /// The text of this key; empty if there is none.
    public Optional<String> text(String key) {
        return values.get(key) instanceof String text ? Optional.of(text) : Optional.empty();
    }
}
