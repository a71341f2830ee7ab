package dev.cairn.cluster.launch;

/// Thrown if what says where this process is in its job cannot be right. The message is for people.
public final class BadPlaceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /// With problem, cause and cure.
    public BadPlaceException(String message) {
        super(message);
    }
}
