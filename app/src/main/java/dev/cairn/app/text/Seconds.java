package dev.cairn.app.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a duration as people write it, in seconds: `90s`, `1.5h`, `250ms`, `1d12h`.
public final class Seconds implements ITypeConverter<Double> {
    private static final Pattern PART = Pattern.compile("\\G([0-9]{1,9}(?:\\.[0-9]{1,9})?)(ms|s|m|h|d)");

    @Override
    public Double convert(String text) {
        Matcher matcher = PART.matcher(text);
        double seconds = 0;
        int end = 0;
        while (matcher.find()) {
            seconds += Double.parseDouble(matcher.group(1)) * unit(matcher.group(2));
            end = matcher.end();
        }
        if (end == 0 || end != text.length()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time such as 90s, 1.5h, 250ms or 1d12h (units: ms, s, m, h, d)");
        }
        return seconds;
    }

    private static double unit(String unit) {
        return switch (unit) {
            case "ms" -> 1e-3;
            case "s" -> 1;
            case "m" -> 60;
            case "h" -> 3600;
            default -> 86_400;
        };
    }
}
