package dev.cairn.codec;

/// Bytes that no encoder of ours writes: damaged, or made by somebody else. Says where and why.
public final class CorruptBlockException extends Exception {
    private static final long serialVersionUID = 1;

    /// Damage at this offset of a frame.
    public CorruptBlockException(long offset, String reason) {
        super("offset %d: %s".formatted(offset, reason));
    }
}
