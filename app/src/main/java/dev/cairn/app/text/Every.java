package dev.cairn.app.text;

import dev.cairn.checkpoint.SavePolicy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Converts `--every auto|N|30s|epoch`: automatic, a number of steps, or a time with a unit.
public final class Every implements ITypeConverter<SavePolicy> {
    @Override
    public SavePolicy convert(String text) {
        try {
            return SavePolicy.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(invalid.getMessage());
        }
    }
}
