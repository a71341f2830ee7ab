package dev.cairn.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;

/// Thrown if the storage does not answer or denies access. It says nothing about the stored data, so no caller may
/// treat it as damage or continue without the data. The message is one line with problem, cause and cure.
public final class StorageUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    /// Reports an outage with its cause.
    ///
    /// @param message problem, cause and cure
    public StorageUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    /// Reports an outage that no other exception caused.
    ///
    /// @param message problem, cause and cure
    public StorageUnavailableException(String message) {
        super(message);
    }

    /// Converts an error from reading a blob into an outage. The error is not that the blob is missing or ends
    /// early. Returns the error unchanged if it already says what happened.
    public static IOException reading(String blob, IOException e) {
        return switch (e) {
            case StoreException _, StorageUnavailableException _, AccessDeniedException _, InterruptedIOException _ ->
                e;
            default ->
                new StorageUnavailableException(
                        "storage unavailable: %s cannot be read: %s; try again".formatted(blob, e.getMessage()), e);
        };
    }
}
