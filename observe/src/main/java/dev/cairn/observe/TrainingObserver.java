package dev.cairn.observe;

/// Is told what happens in a training.
///
/// Events come on the training thread, and those about checkpoints also on threads that save, so an observer is safe
/// for several threads. It returns at once: it neither reads nor writes files for each step. What it throws changes
/// nothing in the training.
@FunctionalInterface
public interface TrainingObserver {
    /// Something happened.
    void on(TrainingEvent event);
}
