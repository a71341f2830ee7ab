package dev.cairn.cluster.control;

import java.io.IOException;

/// Thrown if a supervisor does not let a process in. To ask again is of no use.
public final class NotLetInException extends IOException {
    private static final long serialVersionUID = 1;

    /// With a message for people: problem, cause and cure.
    public NotLetInException(String message) {
        super(message);
    }
}
