package dev.cairn.codec;

/// Thrown for bytes that Cairn's encoders never write: they are damaged, or another program wrote them. The message
/// says where and why.
public final class CorruptBlockException extends Exception {
    private static final long serialVersionUID = 1;

    /// Reports damage at this offset of a frame.
    public CorruptBlockException(long offset, String reason) {
        super("offset %d: %s".formatted(offset, reason));
    }
}
