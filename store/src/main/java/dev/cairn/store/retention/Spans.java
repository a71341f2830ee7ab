package dev.cairn.store.retention;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Durations as people write them: `90s`, `5m`, `1h`, `2d`, `1w`.
final class Spans {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d|w)");
    private static final SequencedMap<String, Duration> UNITS = units();

    private Spans() {}

    /// Parses a duration; empty if the text is not one.
    static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(UNITS.get(matcher.group(2)))
                .map(unit -> unit.multipliedBy(Long.parseLong(matcher.group(1))));
    }

    /// Formats a duration in the largest unit that gives an integer.
    static String text(Duration span) {
        for (Map.Entry<String, Duration> unit : UNITS.sequencedEntrySet()) {
            long count = span.dividedBy(unit.getValue());
            if (unit.getValue().multipliedBy(count).equals(span)) {
                return count + unit.getKey();
            }
        }
        return span.toString();
    }

    private static SequencedMap<String, Duration> units() {
        var units = new LinkedHashMap<String, Duration>();
        units.put("w", Duration.ofDays(7));
        units.put("d", Duration.ofDays(1));
        units.put("h", Duration.ofHours(1));
        units.put("m", Duration.ofMinutes(1));
        units.put("s", Duration.ofSeconds(1));
        units.put("ms", Duration.ofMillis(1));
        return units;
    }
}
