package dev.cairn.engine;

import java.util.OptionalDouble;

/// Makes the steps of a training in a framework. Only one thread may use it at a time. The same seed, batches and
/// number of threads give the same bits. A [StateOwner] owns the state that the steps change. The owner is the
/// same object, as in a [LocalLearner], or another process.
public interface Learner extends AutoCloseable {
    /// Makes one optimizer step, and returns the mean loss of the batch before the step.
    ///
    /// @param beforeUpdate called before the weights and the optimizer state change, as late as the framework
    ///     allows
    float step(Batch batch, Update update, Runnable beforeUpdate);

    /// Makes one optimizer step without a callback.
    default float step(Batch batch, Update update) {
        return step(batch, update, () -> {});
    }

    /// Scores the batch. It changes nothing that affects the training.
    Score evaluate(Batch batch);

    /// The fraction of ReLU units that no example has activated, among the examples evaluated since the last call.
    /// A unit of a convolution is a whole channel. Empty if the model has no such unit, or if nothing was
    /// evaluated.
    OptionalDouble deadUnits();

    @Override
    void close();
}
