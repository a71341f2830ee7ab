package dev.cairn.tensorflow.queues;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_DOUBLE;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.engine.server.Generation;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The queues of one generation.
///
/// @param weights the number of weight tensors
/// @param rows the number of sets of rows that the gradients are of; 0 if they are of whole weights
public record Round(Generation generation, int weights, int rows) {
    /// What a worker sends besides the gradients: the sum of its losses with its number of examples, its score of
    /// the test split, and its rank with the step.
    static final int MARKS = 3;

    /// The numbers of a task.
    static final int NUMBERS = 4;

    /// A worker has one task at a time.
    private static final int CAPACITY = 2;

    /// Of gradients of whole weights.
    public Round(Generation generation, int weights) {
        this(generation, weights, 0);
    }

    /// The number of tensors that make up the gradients.
    int parts() {
        return weights + rows;
    }

    /// Where this worker gets its tasks.
    Output tasks(GraphBuilder graph, int worker) {
        return queue(graph, "tasks", worker, CAPACITY, TF_INT64);
    }

    /// Where this worker sends its gradients: to a queue of its own, from which they are taken in the order of the
    /// workers, or to one for all if the first to come are taken.
    Output gradients(GraphBuilder graph, int worker) {
        return generation.waitsForAll()
                ? queue(graph, "gradients", worker, CAPACITY, types())
                : queue(graph, "gradients", 0, generation.workers(), types());
    }

    private Output queue(GraphBuilder graph, String name, int worker, int capacity, int... types) {
        return QueueSet.queue(graph, "%s-%d-%d".formatted(name, generation.number(), worker), capacity, types);
    }

    int[] types() {
        int[] types = new int[parts() + MARKS];
        Arrays.fill(types, TF_FLOAT);
        Arrays.fill(types, weights, parts(), TF_INT64);
        types[parts() + 1] = TF_DOUBLE;
        types[parts() + 2] = TF_INT64;
        return types;
    }

    /// All queues.
    private List<Output> queues(GraphBuilder graph) {
        var all = new ArrayList<Output>();
        for (int worker = 0; worker < generation.workers(); worker++) {
            all.add(tasks(graph, worker));
            all.add(gradients(graph, worker));
        }
        return all;
    }

    /// Closes the queues, from any thread: all who wait for one of them, or come to it later, fail.
    public void close(String target) {
        new QueueSet(this::queues).close(target);
    }

    /// Removes the queues, with what is left in them.
    void remove(String target) {
        new QueueSet(this::queues).remove(target);
    }
}
