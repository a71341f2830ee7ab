package dev.cairn.store;

/// Thrown if the log of a run lacks a checkpoint that another one needs. The record of that other checkpoint is intact.
public final class MissingParentException extends DamagedException {
    private static final long serialVersionUID = 1;

    /// Names the checkpoint that cannot be restored.
    ///
    /// @param child the record of the checkpoint that cannot be restored, relative to the run
    public MissingParentException(String child, String reason) {
        super(child, reason);
    }
}
