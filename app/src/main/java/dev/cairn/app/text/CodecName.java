package dev.cairn.app.text;

import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.Yardstick;
import dev.cairn.store.UnknownNameException;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads `--codec CODEC`, and names codecs for users.
public final class CodecName implements ITypeConverter<Codec> {
    private static final List<String> SHORT = List.of("lossy", "lossy+m", "lc:auto");

    /// The name that a user types for the codec of a checkpoint: `lossy`.
    public static String typed(String codec) {
        return SHORT.stream()
                .filter(name -> Codec.parse(name).text().equals(codec))
                .findFirst()
                .orElse(codec);
    }

    /// The name that a user types, with its meaning: `lossy (uq:0.74)`.
    public static String explained(String codec) {
        String typed = typed(codec);
        return typed.equals(codec) ? codec : "%s (%s)".formatted(typed, codec);
    }

    @Override
    public Codec convert(String text) {
        try {
            return Yardstick.parse(text); // studies name them here; no help does
        } catch (UnknownNameException e) {
            throw new TypeConversionException(UnknownNames.line(e));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(Objects.requireNonNullElse(e.getMessage(), text));
        }
    }
}
