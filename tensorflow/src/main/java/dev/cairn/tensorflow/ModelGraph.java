package dev.cairn.tensorflow;

import dev.cairn.tensorflow.runtime.Output;
import java.util.List;
import java.util.Optional;

/// What the graph of a model has for a learner.
///
/// @param batch placeholders of a batch's parts
/// @param step the placeholder of the step's number, which dropout needs
/// @param loss the batch's mean loss in training
/// @param gradients of all weights
/// @param score the batch's mean loss without dropout
/// @param correct how many of the batch were classified rightly
/// @param activity for every ReLU unit its largest output over the batch
record ModelGraph(
        List<Output> batch,
        Optional<Output> step,
        Output loss,
        List<Gradient> gradients,
        Output score,
        Output correct,
        Optional<Output> activity) {

    /// The gradient of one weight tensor, or of some of its rows.
    ///
    /// @param rows which rows those are, each once
    record Gradient(String weight, Output value, Optional<Output> rows) {}
}
