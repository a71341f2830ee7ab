package dev.cairn.engine;

import dev.cairn.engine.group.GradientExchange;

/// A learner whose steps several processes can make together: each computes the gradient of its share of the batch,
/// and all make the same update with the sum. Then all of them have the same state.
public interface GroupLearner extends LocalLearner {
    /// Makes one optimizer step together with other processes, and returns the mean loss of the whole batch before
    /// the step. If the exchange throws, nothing of the state has changed.
    ///
    /// The random numbers of the step depend only on the seed of the learner, the step and the rank.
    ///
    /// @param exchange adds up the gradients of all processes
    /// @param beforeUpdate called after the exchange, before the weights and the optimizer state change
    float step(GroupBatch mine, Update update, GradientExchange exchange, Runnable beforeUpdate);

    /// A share of a batch.
    ///
    /// @param examples the examples of the share; there may be none
    /// @param whole the number of examples of the whole batch
    /// @param rank the place of this process in the group, from 0
    record GroupBatch(Batch examples, int whole, int rank) {}
}
