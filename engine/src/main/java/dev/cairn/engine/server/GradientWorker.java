package dev.cairn.engine.server;

import dev.cairn.engine.Batch;
import dev.cairn.engine.Score;
import dev.cairn.engine.Scorer;
import dev.cairn.engine.StateOwner;
import dev.cairn.engine.group.Traffic;
import java.util.List;
import java.util.Optional;

/// A process that computes gradients for a [ParameterServer]. All methods that talk to the server throw
/// [BrokenGroupException] if it is gone, or has ended the generation.
public interface GradientWorker extends Scorer, StateOwner {
    /// Joins a server as one of this generation.
    ///
    /// @param servers the addresses of all servers
    /// @param rank the place among the workers, from 0
    void join(List<String> servers, Generation generation, int rank);

    /// Leaves the generation of this number, from any thread, even before it has joined: whoever talks to the
    /// server gets a [BrokenGroupException].
    void abandon(long generation);

    /// Waits for the next task, and gets the weights for it. They are the state of this worker.
    Task next();

    /// Waits for the next task, and keeps the weights that it has.
    Task nextTask();

    /// How many updates the weights had at most when [#next] got them, if each gradient makes one.
    long updates();

    /// Computes the gradients of these examples with these weights, and returns their mean loss. There may be no
    /// examples; then the loss is NaN.
    double compute(Task task, Batch examples);

    /// What this worker has exchanged with servers until now. Empty if the system does not tell.
    Optional<Traffic> traffic();

    /// Sends the gradients that were computed.
    ///
    /// @param score the score of the test split; [Score#NONE] if it was not asked for
    void answer(Score score);
}
