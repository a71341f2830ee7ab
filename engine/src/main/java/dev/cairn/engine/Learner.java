package dev.cairn.engine;

import java.util.OptionalDouble;

/// Makes the steps of a training inside a framework. For one thread at a time; the same seed, batches and thread count
/// give the same bits. The state that its steps change belongs to a [StateOwner], which may be the same object, as a
/// [LocalLearner] is, or another process.
public interface Learner extends AutoCloseable {
    /// Makes one optimizer step and returns the batch's mean loss before it.
    ///
    /// @param beforeUpdate run before weights and optimizer state change, as late as the framework lets us
    float step(Batch batch, Update update, Runnable beforeUpdate);

    /// The same where nobody needs to know of the update.
    default float step(Batch batch, Update update) {
        return step(batch, update, () -> {});
    }

    /// Scores the batch and changes nothing that training sees.
    Score evaluate(Batch batch);

    /// Of all ReLU units the share that no example has activated, of those evaluated since this was last asked. A unit
    /// of a convolution is a whole channel. Empty where there is none, or nothing was evaluated.
    OptionalDouble deadUnits();

    @Override
    void close();
}
