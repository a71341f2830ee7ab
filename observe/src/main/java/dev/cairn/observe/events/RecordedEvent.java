package dev.cairn.observe.events;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// An event as it is read back. Kinds and keys that this version does not know are there like all others.
///
/// @param attempt which start of the run it is from
/// @param process who recorded it
/// @param kind such as `step`
/// @param values all keys of the line: texts, `Long`, `Double`, `Boolean`, `null`, lists and maps
public record RecordedEvent(
        long attempt, String process, Instant time, String kind, Map<String, @Nullable Object> values) {
    public RecordedEvent {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /// The step that it is about; empty for events that are about none.
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
