package dev.cairn.app;

import dev.cairn.checkpoint.Codec;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// `--codec CODEC`.
final class CodecName implements ITypeConverter<Codec> {
    @Override
    public Codec convert(String text) {
        try {
            return Codec.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(Objects.requireNonNullElse(e.getMessage(), text));
        }
    }
}
