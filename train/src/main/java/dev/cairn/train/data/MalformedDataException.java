package dev.cairn.train.data;

import java.io.IOException;
import java.nio.file.Path;

/// Thrown if a data file is malformed. The message is one line: file, place in it, reason, cure.
public final class MalformedDataException extends IOException {
    private static final long serialVersionUID = 1;

    private static final String CURE = "; remove the file to download it again";

    public MalformedDataException(Path file, String reason) {
        super("malformed: " + file + ": " + reason + CURE);
    }

    /// @param source the file and, if it is an archive, the member
    public MalformedDataException(String source, long line, String reason) {
        super("malformed: " + source + ": line " + line + ": " + reason + CURE);
    }
}
