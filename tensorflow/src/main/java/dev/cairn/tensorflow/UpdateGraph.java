package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.tensorflow.model.ModelGraph.Gradient;
import dev.cairn.tensorflow.model.Variables;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.internal.c_api.TF_Operation;

/// The second half of a step: takes the gradients of another run, and changes variables.
///
/// @param found outputs that the first half must compute: gradients and rows
/// @param fed placeholders of these outputs
record UpdateGraph(List<Output> found, List<Output> fed, List<TF_Operation> operations) {
    static UpdateGraph build(
            GraphBuilder graph, Variables variables, OptimizerGraph optimizer, List<Gradient> gradients) {
        var found = new ArrayList<Output>();
        var fed = new ArrayList<Output>();
        var operations = new ArrayList<TF_Operation>();
        Map<Output, Output> rowsFed = new HashMap<>();
        List<Output> clipped = optimizer.clipped(gradients);
        for (int i = 0; i < gradients.size(); i++) {
            Gradient gradient = gradients.get(i);
            String weight = gradient.weight();
            long[] shape = variables.get(weight).dimensions();
            if (gradient.rows().isPresent()) {
                shape[0] = -1;
            }
            Output value = graph.placeholder(TF_FLOAT, shape);
            found.add(clipped.get(i));
            fed.add(value);
            if (gradient.rows().isEmpty()) {
                operations.add(optimizer.update(weight, value));
                continue;
            }
            Output rows = rowsFed.computeIfAbsent(gradient.rows().get(), all -> {
                Output placeholder = graph.placeholder(TF_INT64, -1);
                found.add(all);
                fed.add(placeholder);
                return placeholder;
            });
            operations.addAll(optimizer.update(weight, value, rows));
        }
        return new UpdateGraph(found, fed, operations);
    }
}
