package dev.cairn.store.segment;

import dev.cairn.store.blob.RunFiles;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The parts of a segment's name: `segments/NUMBER-WRITER-RANDOM.seg`.
///
/// @param number the number of the record that names it, or may name it later
/// @param writer the name of the writer: 1 to 32 letters and digits
/// @param random a random number, so that no two files ever have the same name
public record SegmentName(long number, String writer, long random) {
    private static final String END = ".seg";
    private static final int RANDOM_DIGITS = 16;
    private static final Pattern WRITER = Pattern.compile("[a-z0-9]{1,32}");

    public SegmentName {
        if (!WRITER.matcher(writer).matches()) {
            throw new IllegalArgumentException(
                    "the name of a writer must have 1 to 32 lower-case letters and digits: '" + writer + "'");
        }
    }

    /// The file, relative to the run.
    public String file() {
        return RunFiles.SEGMENTS + RunFiles.digits(number) + "-" + writer + "-"
                + HexFormat.of().toHexDigits(random) + END;
    }

    /// Returns the same name with another number.
    public SegmentName withNumber(long other) {
        return new SegmentName(other, writer, random);
    }

    /// Parses a name; null if it is not the name of a segment.
    public static @Nullable SegmentName parse(String name) {
        int first = name.indexOf('-');
        int last = name.lastIndexOf('-');
        int end = name.length() - END.length();
        if (first == last || !name.startsWith(RunFiles.SEGMENTS) || !name.endsWith(END)) {
            return null;
        }
        long number = RunFiles.parse(name, RunFiles.SEGMENTS.length(), first);
        String writer = name.substring(first + 1, last);
        if (number < 0
                || end - last - 1 != RANDOM_DIGITS
                || !WRITER.matcher(writer).matches()) {
            return null;
        }
        for (int i = last + 1; i < end; i++) {
            char digit = name.charAt(i);
            if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'f')) {
                return null;
            }
        }
        return new SegmentName(number, writer, HexFormat.fromHexDigitsToLong(name, last + 1, end));
    }

    /// The number in the name of a segment.
    public static long numberOf(String name) {
        SegmentName segment = parse(name);
        if (segment == null) {
            throw new IllegalArgumentException("not a segment: " + name);
        }
        return segment.number();
    }
}
