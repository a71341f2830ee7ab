package dev.cairn.observe;

import dev.cairn.checkpoint.LiveTensor;
import java.util.List;
import java.util.function.Supplier;

/// Receives the events of a training.
///
/// Events arrive on the training thread. Events about checkpoints also arrive on threads that save, so an
/// observer must be thread-safe. It must return quickly, and must not read or write files for each step. Its
/// exceptions do not affect the training.
@FunctionalInterface
public interface TrainingObserver {
    /// Called after each event.
    void on(TrainingEvent event);

    /// Called before the training starts, on its thread.
    ///
    /// @param state returns the live tensors. For the training thread only, while it calls [#on] with a step: their
    ///     memory changes with the next one
    default void watch(Supplier<List<LiveTensor>> state) {}
}
