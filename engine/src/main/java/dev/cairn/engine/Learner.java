package dev.cairn.engine;

import dev.cairn.checkpoint.LiveTensor;
import java.util.List;
import java.util.OptionalDouble;

/// A model with its optimizer inside a framework. For one thread at a time; the same seed, batches and thread count
/// give the same bits.
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

    /// The whole live state: weights, optimizer, random generator. In place, or as good as that: valid and unchanged
    /// until the next step's `beforeUpdate` has returned. Where it is written to, [#tensorsRestored] makes it live.
    List<LiveTensor> tensors();

    /// The memory of [#tensors] was overwritten; what mirrors state elsewhere takes effect now.
    void tensorsRestored();

    @Override
    void close();
}
