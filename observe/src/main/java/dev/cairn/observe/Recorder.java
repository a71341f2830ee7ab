package dev.cairn.observe;

/// An observer that writes what it receives somewhere, beside the training.
public interface Recorder extends TrainingObserver, AutoCloseable {
    /// Writes what is left. Returns within some seconds, even if the storage hangs. Further calls do nothing.
    @Override
    void close();
}
