package dev.cairn.tensorflow.model;

import dev.cairn.tensorflow.runtime.Output;
import java.util.List;
import java.util.Optional;

/// The parts of a model's graph that a learner uses.
///
/// @param batch placeholders of the parts of a batch
/// @param step placeholder of the number of the step, which dropout needs
/// @param loss mean loss of the batch in training
/// @param gradients gradients of all weights
/// @param score mean loss of the batch without dropout
/// @param correct number of examples of the batch that were classified correctly
/// @param activity largest output of every ReLU unit over the batch
public record ModelGraph(
        List<Output> batch,
        Optional<Output> step,
        Output loss,
        List<Gradient> gradients,
        Output score,
        Output correct,
        Optional<Output> activity) {

    /// The gradient of one weight tensor, or of some of its rows.
    ///
    /// @param rows the rows, each once; empty for the whole tensor
    public record Gradient(String weight, Output value, Optional<Output> rows) {}
}
