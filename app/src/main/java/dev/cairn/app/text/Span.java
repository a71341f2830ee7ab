package dev.cairn.app.text;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a duration as people write it: `90s`, `3h50m`, `1d12h`.
public final class Span implements ITypeConverter<Duration> {
    private static final Pattern FORM =
            Pattern.compile("(?:([0-9]{1,4})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,9})s)?");

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        Duration span = matcher.matches()
                ? Duration.ofDays(part(matcher, 1))
                        .plusHours(part(matcher, 2))
                        .plusMinutes(part(matcher, 3))
                        .plusSeconds(part(matcher, 4))
                : Duration.ZERO;
        if (span.isZero()) {
            throw new TypeConversionException("'" + text + "' is not a time such as 90s, 3h50m or 1d12h");
        }
        return span;
    }

    private static long part(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group));
    }
}
