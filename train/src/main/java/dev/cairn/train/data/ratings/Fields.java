package dev.cairn.train.data.ratings;

import dev.cairn.train.data.MalformedDataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Reads lines of numbers, field by field, without allocating objects. Malformed input is an error with the number of
/// the line and the field.
final class Fields {
    private static final int LONGEST = 40;
    private static final int END = -1;

    private final InputStream in;
    private final String source;
    private final String separator;
    private final byte[] buffer = new byte[1 << 16];
    private final byte[] field = new byte[LONGEST];
    private int position;
    private int limit;
    private int length;
    private long line = 1;

    Fields(InputStream in, String source, String separator) {
        this.in = in;
        this.source = source;
        this.separator = separator;
    }

    long line() {
        return line;
    }

    /// Whether all lines have been read. Blank lines at the end do not count.
    boolean atEnd() throws IOException {
        int first = peek();
        int c = first;
        while (c == '\n' || c == '\r') {
            position++;
            c = peek();
        }
        if (c != END && c != first) {
            throw malformed("blank, with more lines after it");
        }
        return c == END;
    }

    /// An integer in [0, most].
    long wholeNumber(String what, long most) throws IOException {
        next(what);
        long value = 0;
        for (int i = 0; i < length; i++) {
            int digit = field[i] - '0';
            if (digit < 0 || digit > 9) {
                throw malformed("%s is not a whole number: '%s'".formatted(what, text()));
            }
            value = value * 10 + digit;
            if (value > most) {
                throw malformed("%s is more than %d: '%s'".formatted(what, most, text()));
            }
        }
        return value;
    }

    /// A decimal number with at most two decimals, in hundredths; `most` limits its magnitude.
    int hundredths(String what, int most) throws IOException {
        next(what);
        int sign = field[0] == '-' ? -1 : 1;
        int places = -1;
        int digits = 0;
        long value = 0;
        for (int i = sign < 0 ? 1 : 0; i < length; i++) {
            int digit = field[i] - '0';
            if (field[i] == '.' && places < 0) {
                places = 0;
            } else if (digit >= 0 && digit <= 9 && places < 2) {
                value = value * 10 + digit;
                digits++;
                places = places < 0 ? places : places + 1;
            } else {
                digits = 0;
                break;
            }
            if (value > Integer.MAX_VALUE) {
                break;
            }
        }
        if (digits == 0) {
            throw malformed("%s is not a number with at most two decimals: '%s'".formatted(what, text()));
        }
        for (int i = Math.max(places, 0); i < 2; i++) {
            value *= 10;
        }
        if (value > most) {
            throw malformed("%s is out of range: '%s'".formatted(what, text()));
        }
        return sign * (int) value;
    }

    /// Skips the separator between two fields.
    void separator(String following) throws IOException {
        for (int i = 0; i < separator.length(); i++) {
            if (peek() != separator.charAt(i)) {
                throw malformed("no %s: fields are separated by %s".formatted(following, separatorName()));
            }
            position++;
        }
    }

    /// Skips the end of the line, which must be here.
    void endLine() throws IOException {
        if (peek() == '\r') {
            position++;
        }
        int end = peek();
        if (end != '\n' && end != END) {
            throw malformed("continues after the last field");
        }
        if (end == '\n') {
            position++;
        }
        line++;
    }

    MalformedDataException malformed(String reason) {
        return new MalformedDataException(source, line, reason);
    }

    /// Reads the next field, up to a separator or the end of the line, into `field`.
    private void next(String what) throws IOException {
        length = 0;
        for (int c = peek(); c != separator.charAt(0) && c != '\n' && c != '\r' && c != END; c = peek()) {
            if (length == LONGEST) {
                throw malformed("%s is too long: '%s…'".formatted(what, text()));
            }
            field[length++] = (byte) c;
            position++;
        }
        if (length == 0) {
            throw malformed("no " + what);
        }
    }

    private String separatorName() {
        return separator.equals("\t") ? "a tab" : "'%s'".formatted(separator);
    }

    private String text() {
        return new String(field, 0, length, StandardCharsets.ISO_8859_1)
                .replace("\t", "<tab>")
                .replaceAll("[^ -~]", "?");
    }

    private int peek() throws IOException {
        if (position == limit) {
            limit = Math.max(0, in.read(buffer, 0, buffer.length));
            position = 0;
            if (limit == 0) {
                return END;
            }
        }
        return Byte.toUnsignedInt(buffer[position]);
    }
}
