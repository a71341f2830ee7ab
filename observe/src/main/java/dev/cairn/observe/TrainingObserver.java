package dev.cairn.observe;

/// Receives the events of a training.
///
/// Events arrive on the training thread. Events about checkpoints also arrive on threads that save, so an
/// observer must be thread-safe. It must return quickly, and must not read or write files for each step. Its
/// exceptions do not affect the training.
@FunctionalInterface
public interface TrainingObserver {
    /// Called after each event.
    void on(TrainingEvent event);
}
