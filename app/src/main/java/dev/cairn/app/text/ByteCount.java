package dev.cairn.app.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a number of bytes as people write it: `500K`, `50M`, `1G`, in powers of a thousand.
public final class ByteCount implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})([KMG]?)B?", Pattern.CASE_INSENSITIVE);

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text);
        long bytes = matcher.matches() ? Long.parseLong(matcher.group(1)) * unit(matcher.group(2)) : 0;
        if (bytes == 0) {
            throw new TypeConversionException("'" + text + "' is not a number of bytes such as 500K, 50M or 1G");
        }
        return bytes;
    }

    private static long unit(String letter) {
        return switch (letter) {
            case "K", "k" -> 1_000;
            case "M", "m" -> 1_000_000;
            case "G", "g" -> 1_000_000_000;
            default -> 1;
        };
    }
}
