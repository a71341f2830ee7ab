package dev.cairn.store;

/// The attributes of a checkpoint are not those that somebody expects: one is missing, of another type, or makes no
/// sense. A training state throws it from its `restored` where a checkpoint does not fit; the checkpoint is then passed
/// over like a damaged one. Any other exception of the state's is an error of its own, and ends the restore.
public final class UnfitAttributesException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /// What does not fit, in one line.
    public UnfitAttributesException(String message) {
        super(message);
    }
}
