package dev.cairn.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;

/// The storage does not answer, or does not let us in: says nothing about what is stored there, so nobody takes it for
/// damage or goes on without it. The message is one line with problem, cause and cure.
public final class StorageUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    /// An outage, told in one line.
    ///
    /// @param message problem, cause and cure
    public StorageUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    /// An outage that nothing else told of.
    ///
    /// @param message problem, cause and cure
    public StorageUnavailableException(String message) {
        super(message);
    }

    /// What a storage says that cannot read a blob, for whatever reason but that there is none or that it ends early:
    /// as it is, where it is told as an outage or an interruption already.
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
