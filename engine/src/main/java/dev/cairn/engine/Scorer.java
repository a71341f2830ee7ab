package dev.cairn.engine;

import java.util.OptionalDouble;

/// Scores a model on examples. Only one thread may use it at a time.
public interface Scorer extends AutoCloseable {
    /// Scores the batch. It changes nothing that affects the training.
    Score evaluate(Batch batch);

    /// The fraction of ReLU units that no example has activated, among the examples evaluated since the last call.
    /// A unit of a convolution is a whole channel. Empty if the model has no such unit, or if nothing was
    /// evaluated.
    OptionalDouble deadUnits();

    @Override
    void close();
}
