package dev.cairn.formats.file;

import java.io.IOException;

/// A file cannot be read or written in its format. The message is one line with the problem, its cause and its cure.
public sealed class FormatException extends IOException permits DamagedFileException, UnsupportedException {
    private static final long serialVersionUID = 1;
    private static final int MOST_SHOWN = 120;

    FormatException(String message) {
        super(message);
    }

    /// Makes text of unknown origin safe to print as part of one line.
    public static String printable(String text) {
        String clean = text.codePoints()
                .limit(MOST_SHOWN)
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return clean.length() < text.length() ? clean + "…" : clean;
    }
}
