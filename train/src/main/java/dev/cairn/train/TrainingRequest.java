package dev.cairn.train;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings that a user asked for. The run, or a default, decides the others. Settings have the names of the
/// attributes in which a run stores them, which are also the names of the options: `rate`, `weightDecay`.
///
/// @param asked text, integers as `Long`, and numbers as `Double`
public record TrainingRequest(String workload, Map<String, Object> asked) {
    public TrainingRequest {
        asked = Map.copyOf(asked);
    }

    public static TrainingRequest of(String workload) {
        return new TrainingRequest(workload, Map.of());
    }

    /// Returns a copy with this setting, unless the value is null.
    public TrainingRequest with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        var more = new LinkedHashMap<>(asked);
        more.put(name, value instanceof Integer integer ? (Object) integer.longValue() : value);
        return new TrainingRequest(workload, more);
    }
}
