package dev.cairn.store;

import java.io.IOException;

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
}
