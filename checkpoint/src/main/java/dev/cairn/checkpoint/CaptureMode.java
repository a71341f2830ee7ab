package dev.cairn.checkpoint;

/// How the state is captured.
public enum CaptureMode {
    /// The state is copied, then encoded from the copy. The training waits least, but the copy takes memory.
    COPY,
    /// The state is encoded directly from the live tensors. Only random states, cursors and buffers, which are
    /// small, are copied. The update waits until
    /// everything is encoded and handed to the file system.
    FUSED
}
