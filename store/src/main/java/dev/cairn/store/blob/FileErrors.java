package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// What the system says of a file that is open has no name in it: this gives it one.
public final class FileErrors {
    private FileErrors() {}

    /// The same error, with the file's name where it has none; what is more than the system's word stays as it is.
    public static IOException named(Path file, IOException e) {
        if (e.getClass() != IOException.class || e.getMessage() == null) {
            return e;
        }
        var named = new FileSystemException(file.toString(), null, e.getMessage());
        named.initCause(e);
        return named;
    }
}
