package dev.cairn.app.run;

import dev.cairn.store.retention.Retention;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// `--keep latest:5,every:1h,best:1`.
public final class Keep implements ITypeConverter<Retention> {
    @Override
    public Retention convert(String text) {
        try {
            return Retention.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(Objects.requireNonNullElse(e.getMessage(), text));
        }
    }
}
