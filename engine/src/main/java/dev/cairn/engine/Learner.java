package dev.cairn.engine;

import dev.cairn.checkpoint.LiveTensor;
import java.util.List;

/// A model with its optimizer inside a framework. For one thread at a time; the same seed, batches and thread count
/// give
/// the same bits.
public interface Learner extends AutoCloseable {
    /// Makes one optimizer step and returns the batch's mean loss before it.
    ///
    /// @param step which step this is, counted from 1
    /// @param beforeUpdate run after the backward pass, right before weights and optimizer state change
    float step(Batch batch, long step, Runnable beforeUpdate);

    /// The same where nobody needs to know of the update.
    default float step(Batch batch, long step) {
        return step(batch, step, () -> {});
    }

    /// Scores the batch and changes nothing.
    Score evaluate(Batch batch);

    /// The whole live state, in place: weights, optimizer, random generator.
    List<LiveTensor> tensors();

    /// The memory of [#tensors] was overwritten; what mirrors state elsewhere takes effect now.
    void tensorsRestored();

    @Override
    void close();
}
