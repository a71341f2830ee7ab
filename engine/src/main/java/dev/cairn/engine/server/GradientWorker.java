package dev.cairn.engine.server;

import dev.cairn.engine.Batch;
import dev.cairn.engine.Score;
import dev.cairn.engine.Scorer;

/// A process that computes gradients for a [ParameterServer]. All methods that talk to the server throw
/// [BrokenGroupException] if it is gone, or has ended the generation.
public interface GradientWorker extends Scorer {
    /// Joins a server as one of this generation.
    ///
    /// @param address as of [ParameterServer#address]
    /// @param rank the place among the workers, from 0
    void join(String address, Generation generation, int rank);

    /// Leaves the generation of this number, from any thread, even before it has joined: whoever talks to the
    /// server gets a [BrokenGroupException].
    void abandon(long generation);

    /// Waits for the next task, and gets the weights for it.
    Task next();

    /// Computes the gradients of these examples with these weights, and returns their mean loss. There may be no
    /// examples; then the loss is NaN.
    double compute(Task task, Batch examples);

    /// Sends the gradients that were computed.
    ///
    /// @param score the score of the test split; [Score#NONE] if it was not asked for
    void answer(Score score);
}
