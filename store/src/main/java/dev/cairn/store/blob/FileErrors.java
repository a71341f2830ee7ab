package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// Adds the file's name to the system's errors about an open file, which do not contain it.
public final class FileErrors {
    private FileErrors() {}

    /// Returns the error with the file's name added if it has none. An error that is more specific than the
    /// system's message is returned unchanged.
    public static IOException named(Path file, IOException e) {
        if (e.getClass() != IOException.class || e.getMessage() == null) {
            return e;
        }
        var named = new FileSystemException(file.toString(), null, e.getMessage());
        named.initCause(e);
        return named;
    }
}
