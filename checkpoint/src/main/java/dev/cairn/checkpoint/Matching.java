package dev.cairn.checkpoint;

/// How much of a state a checkpoint must fill.
public enum Matching {
    /// The tensors of both are the same in name, type and shape; anything else is refused before a byte is
    /// written.
    WHOLE,
    /// Weights and buffers of both are the same; of the rest, such as the state of an optimizer, what fits is restored,
    /// the others stay as they are, and an event tells which. For weights that came without it.
    WEIGHTS,
    /// Tensors that fit are restored, the others stay as they are, and an event tells which. At least one weight or
    /// buffer must fit, where the live state has any.
    PARTIAL
}
