package dev.cairn.checkpoint;

/// How much of a state a checkpoint must fill.
public enum Matching {
    /// The tensors of both are the same in name, type and shape; anything else is refused before a byte is
    /// written.
    WHOLE,
    /// Tensors that fit are restored, the others stay as they are, and an event tells which. At least one must
    /// fit.
    PARTIAL
}
