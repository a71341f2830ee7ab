package dev.cairn.store;

/// Thrown if the attributes of a checkpoint do not fit: one is missing, has another type, or has an invalid value. A
/// training state throws it from its `restored` method to reject a checkpoint; the restore then skips the checkpoint
/// like a damaged one. Any other exception from the state is an error of the state and ends the restore.
public final class UnfitAttributesException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /// Reports what does not fit, in one line.
    public UnfitAttributesException(String message) {
        super(message);
    }
}
