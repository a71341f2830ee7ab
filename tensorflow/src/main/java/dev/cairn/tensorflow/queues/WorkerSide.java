package dev.cairn.tensorflow.queues;

import dev.cairn.engine.Score;
import dev.cairn.engine.server.Task;
import dev.cairn.tensorflow.runtime.NativeTensors;
import java.util.List;
import org.tensorflow.internal.c_api.TF_Tensor;

/// What one worker gets from the servers of a generation, and sends to them.
public interface WorkerSide extends AutoCloseable {
    /// A task with the weights for it.
    ///
    /// @param updates how many updates the weights have at most, if each gradient makes one
    record Order(Task task, List<TF_Tensor> weights, long updates) implements AutoCloseable {
        @Override
        public void close() {
            weights.forEach(NativeTensors::delete);
        }
    }

    /// Waits for the next task.
    Order next();

    /// Sends gradients, and deletes them.
    ///
    /// @param found the sums of the gradients, and the sum of the losses with the number of examples
    /// @param score the score of the test split; [Score#NONE] if there is none
    void answer(Task task, List<TF_Tensor> found, Score score);

    @Override
    void close();
}
