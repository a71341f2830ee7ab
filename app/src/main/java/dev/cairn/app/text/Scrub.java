package dev.cairn.app.text;

import dev.cairn.checkpoint.Scrubbing;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Converts `--scrub off|PERIOD[,RATE]`.
public final class Scrub implements ITypeConverter<Scrubbing> {
    @Override
    public Scrubbing convert(String text) {
        if (text.equals("off")) {
            return new Scrubbing.Off();
        }
        int comma = text.indexOf(',');
        try {
            return new Scrubbing.Every(
                    new Span().convert(comma < 0 ? text : text.substring(0, comma)),
                    comma < 0 ? Scrubbing.USUAL_BYTES_PER_SECOND : new ByteCount().convert(text.substring(comma + 1)));
        } catch (TypeConversionException e) {
            throw new TypeConversionException("'" + text
                    + "' is neither 'off' nor a time such as 12h or 7d, perhaps with bytes per second such as 7d,5M");
        }
    }
}
