package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// The system's errors about files: some do not contain the file's name, and all tell their reason only in words.
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

    /// Whether the disk had no free bytes or files, or the user's quota is used up.
    public static boolean isFull(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("No space left") || message.contains("quota exceeded");
    }
}
