package dev.cairn.codec.parity;

/// Thrown if more is damaged than parity can heal.
public final class UnhealableException extends Exception {
    private static final long serialVersionUID = 1;

    UnhealableException(String reason) {
        super(reason);
    }
}
