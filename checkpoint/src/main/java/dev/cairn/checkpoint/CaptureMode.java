package dev.cairn.checkpoint;

/// How the state is taken out of the training's hands.
public enum CaptureMode {
    /// Copied, then encoded from the copy: the training waits least, for one extra copy of the state in memory.
    COPY,
    /// Encoded straight from the live tensors: no extra copy, but the update waits until all is encoded and
    /// handed to the file system.
    FUSED
}
