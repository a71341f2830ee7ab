package dev.cairn.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Thrown if the storage does not answer or denies access. It says nothing about the stored data, so no caller may
/// treat it as damage or continue without the data. The message is one line with problem, cause and cure.
public final class StorageUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    private final String problem;
    private final @Nullable String setting;

    /// Reports an outage with its cause.
    ///
    /// @param message problem, cause and cure
    public StorageUnavailableException(String message, Throwable cause) {
        super(message, cause);
        this.problem = message;
        this.setting = null;
    }

    private StorageUnavailableException(String problem, String setting, Throwable cause) {
        super("%s; check the network and the storage setting '%s'; try again later".formatted(problem, setting), cause);
        this.problem = problem;
        this.setting = setting;
    }

    /// Reports a server that cannot be reached.
    ///
    /// @param problem problem and cause
    /// @param setting the storage setting that names the server
    public static StorageUnavailableException unreachable(String problem, String setting, Throwable cause) {
        return new StorageUnavailableException(problem, setting, cause);
    }

    /// Reports an outage that no other exception caused.
    ///
    /// @param message problem, cause and cure
    public StorageUnavailableException(String message) {
        super(message);
        this.problem = message;
        this.setting = null;
    }

    /// What is wrong: the message without the cure of [#setting].
    public String problem() {
        return problem;
    }

    /// The storage setting to check; empty if no setting helps.
    public Optional<String> setting() {
        return Optional.ofNullable(setting);
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
