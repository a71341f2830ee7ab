package dev.cairn.train.data;

import java.io.IOException;
import java.nio.file.Path;

/// A data file is not what it should be. The message is one line: file, place in it, reason, cure.
public final class MalformedDataException extends IOException {
    private static final long serialVersionUID = 1;

    private static final String CURE = "; remove the file, and it is downloaded again";

    public MalformedDataException(Path file, String reason) {
        super("malformed: " + file + ": " + reason + CURE);
    }

    /// @param source the file, and where it is an archive the member of it
    public MalformedDataException(String source, long line, String reason) {
        super("malformed: " + source + ": line " + line + ": " + reason + CURE);
    }
}
