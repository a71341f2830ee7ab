package dev.cairn.checkpoint;

/// How far the tensors of a checkpoint and of a live state must match.
public enum Matching {
    /// All tensors must be the same in name, type and shape. Any difference is refused before a byte is written.
    WHOLE,
    /// Weights and buffers must be the same. Other tensors, such as optimizer state, are restored if they fit and
    /// otherwise left unchanged, and an event lists these. For weights that come without optimizer state.
    WEIGHTS,
    /// Tensors that fit are restored. The others are left unchanged, and an event lists them. At least one weight
    /// or buffer must fit, if the live state has any.
    PARTIAL
}
