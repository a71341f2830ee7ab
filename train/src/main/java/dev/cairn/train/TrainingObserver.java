package dev.cairn.train;

/// Watches a training, on its thread; must be quick.
public interface TrainingObserver {
    /// The run is about to train, from this step (0 for a fresh start) up to the wanted one, and has so many
    /// checkpoints.
    void started(long fromStep, long steps, int checkpoints);

    /// A step was made.
    ///
    /// @param score of the last time the test split was scored, by the workload's measure; NaN before the first
    void stepMade(long step, double loss, double score);

    /// Something the user should know; the training goes on.
    void warned(String message);
}
