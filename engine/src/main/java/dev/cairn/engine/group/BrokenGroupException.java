package dev.cairn.engine.group;

/// Thrown if a process of a group is gone, or does not answer in time. The group cannot be used any more. What an
/// exchange was filling has no meaning.
public final class BrokenGroupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BrokenGroupException(String message, Throwable cause) {
        super(message, cause);
    }
}
