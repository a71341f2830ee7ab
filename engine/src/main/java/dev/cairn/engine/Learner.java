package dev.cairn.engine;

/// Makes the steps of a training in a framework. Only one thread may use it at a time. The same seed, batches and
/// number of threads give the same bits. A [StateOwner] owns the state that the steps change. The owner is the
/// same object, as in a [LocalLearner], or another process.
public interface Learner extends Scorer {
    /// Makes one optimizer step, and returns the mean loss of the batch before the step.
    ///
    /// @param beforeUpdate called before the weights and the optimizer state change, as late as the framework
    ///     allows
    float step(Batch batch, Update update, Runnable beforeUpdate);

    /// Makes one optimizer step without a callback.
    default float step(Batch batch, Update update) {
        return step(batch, update, () -> {});
    }

    @Override
    void close();
}
