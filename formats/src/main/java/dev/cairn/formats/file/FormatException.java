package dev.cairn.formats.file;

import java.io.IOException;

/// A file cannot be read or written in its format. The message is one line with the problem, its cause and its cure.
public sealed class FormatException extends IOException permits DamagedFileException, UnsupportedException {
    private static final long serialVersionUID = 1;
    private static final int MOST_SHOWN = 120;

    private final String problem;

    FormatException(String message) {
        super(message);
        this.problem = message;
    }

    FormatException(String problem, String cure) {
        super(problem + "; " + cure);
        this.problem = problem;
    }

    /// The file and what is wrong with it: the message without the cure that depends on the caller.
    public String problem() {
        return problem;
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
