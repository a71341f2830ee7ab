package dev.cairn.store.segment;

import dev.cairn.store.blob.RunFiles;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the name of a segment tells: `segments/NUMBER-WRITER-RANDOM.seg`.
///
/// @param number of the record that names it, or may come to name it
/// @param writer who wrote it: 1 to 32 letters and digits
/// @param random so that no two files ever have one name
public record SegmentName(long number, String writer, long random) {
    private static final String END = ".seg";
    private static final int RANDOM_DIGITS = 16;
    private static final Pattern WRITER = Pattern.compile("[a-z0-9]{1,32}");

    public SegmentName {
        if (!WRITER.matcher(writer).matches()) {
            throw new IllegalArgumentException(
                    "a writer's name has 1 to 32 lower-case letters and digits: '" + writer + "'");
        }
    }

    /// The file, relative to the run.
    public String file() {
        return RunFiles.SEGMENTS + RunFiles.digits(number) + "-" + writer + "-"
                + HexFormat.of().toHexDigits(random) + END;
    }

    /// The same under another number.
    public SegmentName withNumber(long other) {
        return new SegmentName(other, writer, random);
    }

    /// Null where the name is none of ours.
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

    /// The number in the name of one of our segments.
    public static long numberOf(String name) {
        SegmentName segment = parse(name);
        if (segment == null) {
            throw new IllegalArgumentException("not a segment: " + name);
        }
        return segment.number();
    }
}
